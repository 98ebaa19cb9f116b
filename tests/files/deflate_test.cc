// SPDX-License-Identifier: Apache-2.0
#include "fedstein/files/deflate.h"

#include <gtest/gtest.h>

#include "fedstein/files/base64.h"

namespace fedstein {
namespace {

std::string some_text() {
  std::string out;
  for (int i = 0; i < 20'000; ++i) out += std::to_string(i * i) + ",";
  return out;
}

struct Unpacked {
  std::string bytes = {};
  Inflater::State state = Inflater::State::kGoing;
};

// Unpacks through a small window on both sides, as a reader of files does.
Unpacked unpacked(std::string_view packed, DeflateForm form) {
  Inflater inflater(form);
  Unpacked out;
  std::string block(777, '\0');
  while (out.state == Inflater::State::kGoing) {
    const Inflater::Step step = inflater.step(packed.substr(0, 1000), block.data(), block.size());
    packed.remove_prefix(step.taken);
    out.bytes.append(block.data(), step.made);
    out.state = step.state;
    if (step.taken == 0 && step.made == 0) break;
  }
  return out;
}

TEST(Deflate, EveryFormUnpacksToWhatWasPacked) {
  const std::string text = some_text();
  for (const DeflateForm form : {DeflateForm::kRaw, DeflateForm::kZlib, DeflateForm::kGzip}) {
    for (const bool smallest : {false, true}) {
      for (const std::string& bytes : {text, std::string("a"), std::string()}) {
        const Unpacked back = unpacked(deflated(bytes, {form, smallest}), form);
        EXPECT_EQ(back.state, Inflater::State::kEnd);
        EXPECT_EQ(back.bytes, bytes);
      }
    }
  }
  EXPECT_LT(deflated(text).size(), text.size() / 2);
  EXPECT_LT(deflated(text, {.smallest = true}).size(), text.size() / 2);
}

TEST(Deflate, AGzipStreamHasNoDateAndNoName) {
  const std::string packed = deflated("bytes");
  EXPECT_EQ(packed.substr(0, 8), std::string("\x1f\x8b\x08\0\0\0\0\0", 8));
}

TEST(Deflate, AStreamThatIsCutOrDamagedIsTold) {
  const std::string packed = deflated(some_text());
  EXPECT_EQ(unpacked(packed.substr(0, packed.size() / 2), DeflateForm::kGzip).state, Inflater::State::kGoing);
  std::string damaged = packed;
  damaged[packed.size() - 6] = static_cast<char>(damaged[packed.size() - 6] ^ 1);  // its checksum
  EXPECT_EQ(unpacked(damaged, DeflateForm::kGzip).state, Inflater::State::kDamaged);
  EXPECT_EQ(unpacked("no gzip at all", DeflateForm::kGzip).state, Inflater::State::kDamaged);
}

TEST(Deflate, SaysWhatIsWrongAndStartsAgain) {
  Inflater inflater(DeflateForm::kGzip);
  std::string block(100, '\0');
  EXPECT_EQ(inflater.step("no gzip at all", block.data(), block.size()).state, Inflater::State::kDamaged);
  EXPECT_EQ(inflater.problem(), "incorrect header check");
  inflater.restart();
  const Inflater::Step step = inflater.step(deflated("sound"), block.data(), block.size());
  EXPECT_EQ(step.state, Inflater::State::kEnd);
  EXPECT_EQ(block.substr(0, step.made), "sound");
}

TEST(Deflate, TheChecksumIsThatOfTheStandard) {
  EXPECT_EQ(crc32_of("123456789"), 0xcbf43926U);
  EXPECT_EQ(crc32_of(""), 0U);
}

// The vectors of RFC 4648.
TEST(Base64, IsThatOfTheStandard) {
  EXPECT_EQ(base64_of(""), "");
  EXPECT_EQ(base64_of("f"), "Zg==");
  EXPECT_EQ(base64_of("fo"), "Zm8=");
  EXPECT_EQ(base64_of("foo"), "Zm9v");
  EXPECT_EQ(base64_of("foob"), "Zm9vYg==");
  EXPECT_EQ(base64_of("\xfb\xff"), "+/8=");
}

TEST(Base64, PiecesJoinWithoutASeam) {
  const std::string bytes((std::size_t{3} << 24U) + 4, 'a');  // longer than a piece
  const std::string text = base64_of(bytes);
  ASSERT_EQ(text.size(), (bytes.size() + 2) / 3 * 4);
  EXPECT_EQ(text.substr(text.size() - 12), "YWFhYWFhYQ==");
  EXPECT_EQ(text.find('='), text.size() - 2);
}

}  // namespace
}  // namespace fedstein
