// SPDX-License-Identifier: Apache-2.0
#include "fedstein/posterior/posterior_file.h"

#include <gmock/gmock.h>

#include <cstring>
#include <fstream>

#include "fedstein/data/error.h"
#include "fedstein/files/sha256.h"
#include "fedstein/numeric/check.h"
#include "posterior/made_posteriors.h"
#include "support/close.h"
#include "support/pack.h"
#include "support/peak_memory.h"
#include "support/temporary_folder.h"
#include "support/throws.h"

namespace fedstein {
namespace {

constexpr std::size_t kPreface = 32;
constexpr std::size_t kDigest = 32;

std::uint64_t number_at(const std::string& bytes, std::size_t place) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data() + place, sizeof value);
  return value;
}

// Bytes that somebody changed and signed anew: what a checksum cannot catch.
std::string signed_anew(std::string header_and_numbers,
                        std::uint64_t header_bytes,
                        std::uint64_t format = kPosteriorFormat) {
  std::string bytes = "FSPOST\r\n";
  for (const std::uint64_t value :
       {format, std::uint64_t{kPreface + header_and_numbers.size() + kDigest}, header_bytes}) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  bytes += header_and_numbers;
  Sha256 sum;
  sum.add(bytes);
  const std::string hex = std::move(sum).hex();
  for (std::size_t i = 0; i < hex.size(); i += 2) bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  return bytes;
}

std::string header_of(const std::string& bytes) {
  return bytes.substr(kPreface, number_at(bytes, 24));
}
std::string numbers_of(const std::string& bytes) {
  const std::size_t begin = kPreface + number_at(bytes, 24);
  return bytes.substr(begin, bytes.size() - kDigest - begin);
}

std::string replaced(std::string text, const std::string& old_part, const std::string& new_part) {
  const std::size_t at = text.find(old_part);
  EXPECT_NE(at, std::string::npos) << old_part;
  return text.replace(at, old_part.size(), new_part);
}

// The posterior's file with one part of its header changed.
std::string forged(const Posterior& posterior, const std::string& old_part, const std::string& new_part) {
  const std::string bytes = to_bytes(posterior);
  const std::string header = replaced(header_of(bytes), old_part, new_part);
  return signed_anew(header + numbers_of(bytes), header.size());
}

class PosteriorFile : public testing::TestWithParam<Posterior (*)()> {};
INSTANTIATE_TEST_SUITE_P(Kinds,
                         PosteriorFile,
                         testing::Values(made_binary, made_classes, made_regression, made_remembering, made_laid_out));

TEST_P(PosteriorFile, ComesBackToTheLastBit) {
  Posterior posterior = GetParam()();
  posterior.temperature = 1.2345678901234567;
  const std::string bytes = to_bytes(posterior);
  const Posterior back = posterior_from(bytes, "file");
  EXPECT_EQ(to_bytes(back), bytes);
  EXPECT_TRUE(identical(back.particles, posterior.particles));
  EXPECT_EQ(back.temperature, posterior.temperature);
  EXPECT_EQ(back.facts, posterior.facts);
  EXPECT_EQ(back.class_names, posterior.class_names);
  EXPECT_EQ(back.scaling.shift, posterior.scaling.shift);
  EXPECT_EQ(back.scaling.spread, posterior.scaling.spread);
  EXPECT_EQ(back.scaling.target_spread, posterior.scaling.target_spread);
  EXPECT_EQ(back.table, posterior.table);
  EXPECT_EQ(back.layout, posterior.layout);
  EXPECT_EQ(back.ranges.low, posterior.ranges.low);
  EXPECT_EQ(back.ranges.high, posterior.ranges.high);
  EXPECT_EQ(back.ranges.target_low, posterior.ranges.target_low);
  EXPECT_EQ(back.ranges.target_high, posterior.ranges.target_high);
  EXPECT_EQ(back.covariance, posterior.covariance);
}

TEST_P(PosteriorFile, FuzzEveryFlippedBitIsRefused) {
  const std::string bytes = to_bytes(GetParam()());
  for (std::size_t place = 0; place < bytes.size(); ++place) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = bytes;
      damaged[place] = static_cast<char>(damaged[place] ^ (1 << bit));
      ASSERT_THROW(posterior_from(damaged, "file"), DataError) << "byte " << place << ", bit " << bit;
    }
  }
}

TEST_P(PosteriorFile, FuzzEveryTruncationIsRefused) {
  const std::string bytes = to_bytes(GetParam()());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    ASSERT_THROW(posterior_from(bytes.substr(0, size), "file"), DataError) << size << " bytes";
  }
  EXPECT_THROW_MESSAGE(posterior_from(bytes + "x", "file"), DataError, "damaged: it has");
}

TEST(PosteriorFile, SaysWhatIsWrongWithAFile) {
  const std::string bytes = to_bytes(made_binary());
  const auto complaint = [](const std::string& found, const std::string& part) {
    EXPECT_THROW_MESSAGE(posterior_from(found, "m.fedstein"), DataError, part);
  };
  complaint("1,2,3\n4,5,6\n", "m.fedstein: this is no posterior file of fedstein");
  complaint(bytes.substr(0, 5), "is cut short: it has 5 bytes");
  complaint(bytes.substr(0, bytes.size() - 1), "is cut short: it has");
  complaint(replaced(bytes, "dsvgd", "dsvgD"), "is damaged: its SHA-256");
  std::string newer = bytes;
  newer[8] = 3;
  complaint(newer, "has format 3; this fedstein reads formats 1 to 2, a newer one wrote it");
  newer[8] = 0;
  complaint(newer, "has format 0; this fedstein reads formats 1 to 2");
}

// Format 1 had the same header without what format 2 remembers.
TEST(PosteriorFile, ReadsFormatOne) {
  for (const Posterior& posterior : {made_binary(), made_classes(), made_regression()}) {
    const std::string bytes = to_bytes(posterior);
    const std::string header = replaced(header_of(bytes), ",\"covariance\":false", "");
    const Posterior read = posterior_from(signed_anew(header + numbers_of(bytes), header.size(), 1), "file");
    EXPECT_EQ(to_bytes(read), bytes) << "and writes it as format 2";
    EXPECT_FALSE(read.table.has_value());
    EXPECT_FALSE(read.ranges.are_known());
    EXPECT_EQ(read.covariance.size(), 0);
  }
}

TEST(PosteriorFile, KeepsTheWidthsOfLayers) {
  Posterior posterior = made_classes();
  posterior.settings.set("hidden", IntegerList{4, 3});
  posterior.settings.set("activation", std::string("tanh"));
  posterior.particles = random_matrix(4, make_model(posterior)->dimension(), 11);
  const Posterior read = posterior_from(to_bytes(posterior), "file");
  EXPECT_EQ(read.settings, posterior.settings);
  EXPECT_TRUE(identical(read.particles, posterior.particles));
  for (const char* wrong : {"[]", "[4,3.5]", "[4,0]", "[4,[3]]", "[4,\"3\"]", "[4]", "[4,3,2]", "[1000000,1000000]"}) {
    const std::string forged_list = forged(posterior, "\"hidden\":[4,3]", std::string("\"hidden\":") + wrong);
    EXPECT_THROW(posterior_from(forged_list, "file"), DataError) << wrong;
  }
}

// Networks had rectified units and no key for it.
TEST(PosteriorFile, OlderNetworksHaveRectifiedUnits) {
  for (const Posterior& posterior : {made_classes(), made_regression()}) {
    const Posterior read = posterior_from(forged(posterior, ",\"activation\":\"relu\"", ""), "file");
    EXPECT_EQ(read.settings, posterior.settings);
  }
}

// Logistic regression had neither of these keys, and only the prior that is called gamma now.
TEST(PosteriorFile, OlderFilesHaveTheGammaPrior) {
  Posterior posterior = made_binary();
  posterior.settings.set("prior", std::string("gamma"));
  posterior.settings.set("intercept", false);
  posterior.particles = random_matrix(4, make_model(posterior)->dimension(), 11);
  const std::string older = forged(posterior, "\"prior\":\"gamma\",\"prior_deviation\":0.0,", "");
  const Posterior read = posterior_from(older, "file");
  EXPECT_EQ(read.settings, posterior.settings);
  EXPECT_TRUE(identical(read.particles, posterior.particles));
  EXPECT_THROW_MESSAGE(posterior_from(forged(posterior, "\"prior_shape\":1.0,", ""), "file"),
                       DataError,
                       "the model's settings are not complete");
}

// Signed, but not by us.
TEST(PosteriorFile, RefusesContradictions) {
  const Posterior posterior = made_binary();
  const auto refused = [&](const std::string& old_part, const std::string& new_part, const std::string& part) {
    EXPECT_THROW_MESSAGE(posterior_from(forged(posterior, old_part, new_part), "file"), DataError, part);
  };
  refused("\"particles\":4", "\"particles\":5", "the particles are other bytes than the header says");
  refused("\"particles\":4", "\"particles\":0", "the particles are other bytes than the header says");
  refused("\"particles\":4", "\"particles\":4611686018427387904", "the particles are other bytes");
  refused("\"particles\":4", "\"particles\":-4", "the particles are other bytes");
  refused("\"number_bytes\":", "\"number_bytes\":1", "they must be of 4 or 8");
  refused("logistic-regression", "logistic-repression", "there is no model type 'logistic-repression'");
  refused("logistic-regression", "gaussian-mixture-1d", "the model's settings are not complete");
  refused("\"features\":3", "\"features\":4", "the scaling is of 3 features, the model of 4");
  refused("\"class_names\":[\"-1\",", "\"class_names\":[", "it names 1 class; there are 2");
  refused("\"temperature\":1.0", "\"temperature\":0.0", "temperature is 0");
  refused("\"temperature\":1.0", "\"temperature\":null", "it is not what fedstein writes");
  refused("\"spread\":[2.0", "\"spread\":[0.0", "a spread of 0");
  refused("\"rule\":\"standardise\"", "\"rule\":\"magic\"", "there is no scaling 'magic'");
  refused("{\"model\"", "{\"muddle\"", "it is not what fedstein writes");
  refused("\"prior_shape\":1.0", "\"prior_shape\":-1.0", "prior_shape");
}

TEST(PosteriorFile, RefusesColumnsThatContradictTheModel) {
  const Posterior posterior = made_remembering();
  const auto refused = [&](const std::string& old_part, const std::string& new_part, const std::string& part) {
    EXPECT_THROW_MESSAGE(posterior_from(forged(posterior, old_part, new_part), "file"), DataError, part);
  };
  refused("\"Größe\",\"fill\":3.5", "\"Größe\"", "the table's columns make 2 features; the model has 3");
  refused("\"Größe\"", "\"age, in years\"", "TableSchema");
  refused("\"classes\":[\"no\",\"yes\"]", "\"classes\":[\"yes\",\"no\"]", "labels are others than the model's");
  refused("\"origin\":1700000000.0", "\"origin\":\"soon\"", "it is not what fedstein writes");
  refused("\"missing\":\"impute\"", "\"missing\":\"guess\"", "there is no rule 'guess' for missing values");
  refused("\"separator\":\",\"", "\"separator\":\"\"", "is not one character");
  refused("\"low\":[-5.25,", "\"low\":[", "the ranges are of other features");
  refused("\"low\":[-5.25,", "\"low\":[13,", "end before they begin");
  refused("\"covariance\":true", "\"covariance\":false", "the particles are other bytes");
  refused("\"covariance\":true", "\"covariance\":[[[1]]]", "it is not what fedstein writes");
  refused("\"dimension\":4", "\"dimension\":501", "the covariance is of other bytes than the header says");
  refused("\"dimension\":4", "\"dimension\":18446744073709551615", "the covariance is of other bytes");
  const Posterior laid_out = made_laid_out();
  const auto layout_refused = [&](const std::string& old_part, const std::string& new_part, const std::string& part) {
    EXPECT_THROW_MESSAGE(posterior_from(forged(laid_out, old_part, new_part), "file"), DataError, part);
  };
  layout_refused("\"format\":\"text\"", "\"format\":\"magic\"", "there is no file format 'magic'");
  layout_refused("\"format\":\"text\"", "\"format\":\"libsvm\"", "its files have 0 features; the model has 3");
  layout_refused("\"ignored_columns\":[0,2]", "\"ignored_columns\":[-1]", "is below 0");
  layout_refused("\"label_column\":4", "\"label_column\":-7", "columns that no file can have");
  layout_refused("[0.5,-1.0]", "[0.5]", "is no pair");
}

TEST(PosteriorFile, RefusesACovarianceOfNothing) {
  const Posterior posterior = made_remembering();
  const std::string bytes = to_bytes(posterior);
  const std::string header = header_of(bytes);
  std::string numbers = numbers_of(bytes);
  const auto spoiled = [&](double value) {
    std::string out = numbers;
    std::memcpy(out.data() + out.size() - sizeof value, &value, sizeof value);
    return signed_anew(header + out, header.size());
  };
  EXPECT_NO_THROW(posterior_from(spoiled(posterior.covariance(3, 3)), "file"));
  for (const double value : {0.0, -1.0, 1e-9, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THROW_MESSAGE(posterior_from(spoiled(value), "file"), DataError, "not that of any parameters");
  }
}

// A float file in a double build and the other way round.
template <typename Stored>
std::string of_precision(const Posterior& posterior) {
  const std::string bytes = to_bytes(posterior);
  const std::string ours = "\"number_bytes\":" + std::to_string(sizeof(Real));
  const std::string header = replaced(header_of(bytes), ours, "\"number_bytes\":" + std::to_string(sizeof(Stored)));
  const Eigen::Matrix<Stored, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> numbers =
      posterior.particles.template cast<Stored>();
  const auto* begin = reinterpret_cast<const char*>(numbers.data());
  return signed_anew(header + std::string(begin, static_cast<std::size_t>(numbers.size()) * sizeof(Stored)),
                     header.size());
}

TEST(PosteriorFile, ReadsTheOtherPrecision) {
  const Posterior posterior = made_binary();
  EXPECT_TRUE(identical(posterior_from(of_precision<double>(posterior), "file").particles, posterior.particles));
  const Matrix rounded = posterior.particles.cast<float>().cast<Real>();
  EXPECT_TRUE(identical(posterior_from(of_precision<float>(posterior), "file").particles, rounded));
}

TEST(PosteriorFile, SavesWhatCanPredictAndNothingElse) {
  const TemporaryFolder folder;
  const std::string path = folder.path("deep/model.fedstein");
  save_posterior(made_regression(), path);
  EXPECT_EQ(to_bytes(load_posterior(path)), to_bytes(made_regression()));
  EXPECT_THROW_MESSAGE(load_posterior(folder.path("nowhere")), DataError, "there is no such file");
  Posterior broken = made_binary();
  broken.particles(1, 2) = std::numeric_limits<Real>::quiet_NaN();
  EXPECT_THROW_MESSAGE(save_posterior(broken, folder.path("broken")), InvalidArgument, "particles");
  broken.particles.resize(2, 7);
  broken.particles.setZero();
  EXPECT_THROW_MESSAGE(save_posterior(broken, folder.path("broken")), InvalidArgument, "particles");
  EXPECT_FALSE(std::filesystem::exists(folder.path("broken")));
}

// What load_posterior says about these bytes as a file, and how much memory it takes for it.
struct Refusal {
  std::string sentence = {};
  long growth = 0;
};
Refusal refusal_of(const std::string& bytes) {
  const TemporaryFolder folder;
  const std::string path = folder.write("m.fedstein", bytes);
  const std::string said = folder.path("said");
  Refusal out;
  out.growth = peak_growth([&] {
    try {
      load_posterior(path);
    } catch (const DataError& error) {
      std::ofstream(said) << error.what();
    }
  });
  std::ifstream file(said);
  std::getline(file, out.sentence);
  return out;
}

// The preface of a file that says it has so many bytes.
std::string preface(std::uint64_t promised) {
  std::string bytes = "FSPOST\r\n";
  for (const std::uint64_t value : {std::uint64_t{1}, promised, std::uint64_t{8}}) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  return bytes;
}

constexpr long kLittle = 96L << 20;  // a block or two, the decoder, and a sanitizer's own needs
constexpr int kBombMebibytes = 512;

TEST(PackedPosteriorFile, IsReadAsFarAsItsHeaderPromises) {
  const TemporaryFolder folder;
  const std::string bytes = to_bytes(made_classes());
  EXPECT_EQ(to_bytes(load_posterior(folder.write("m.fedstein.gz", gzipped(bytes)))), bytes);
  EXPECT_THROW_MESSAGE(load_posterior(folder.write("longer.gz", gzipped(bytes + "x"))), DataError, "damaged");
  EXPECT_THROW_MESSAGE(
      load_posterior(folder.write("shorter.gz", gzipped(bytes.substr(0, bytes.size() - 1)))), DataError, "cut short");
}

TEST(PackedPosteriorFile, ABombIsNotUnpackedBeyondWhatItsHeaderPromises) {
  const Refusal refusal = refusal_of(gzip_bomb(preface(4096), kBombMebibytes));
  EXPECT_THAT(refusal.sentence,
              testing::HasSubstr("m.fedstein: the posterior file is damaged: it has more bytes than"));
  EXPECT_THAT(refusal.sentence, testing::HasSubstr("4096"));
  EXPECT_GE(refusal.growth, 0);
  EXPECT_LT(refusal.growth, kLittle);
}

TEST(PackedPosteriorFile, ABombOfAnotherKindIsNotUnpackedAtAll) {
  const Refusal refusal = refusal_of(gzip_bomb("", kBombMebibytes));
  EXPECT_THAT(refusal.sentence, testing::HasSubstr("m.fedstein: this is no posterior file"));
  EXPECT_GE(refusal.growth, 0);
  EXPECT_LT(refusal.growth, kLittle);
}

TEST(PackedPosteriorFile, ABombThatPromisesMuchIsStoppedByTheCap) {
  const Refusal refusal = refusal_of(gzip_bomb(preface(std::uint64_t{1} << 40), kBombMebibytes));
  EXPECT_THAT(refusal.sentence,
              testing::HasSubstr("m.fedstein: the packed posterior file promises 1099511627776 bytes"));
  EXPECT_THAT(refusal.sentence, testing::HasSubstr("at most " + std::to_string(kMostPackedPosterior)));
  EXPECT_GE(refusal.growth, 0);
  EXPECT_LT(refusal.growth, kLittle);
}

// Within the cap, and yet nothing that numbers could be packed to.
TEST(PackedPosteriorFile, ABombThatKeepsItsPromiseIsStoppedByItsRatio) {
  const Refusal refusal = refusal_of(gzip_bomb(preface(std::uint64_t{kBombMebibytes} << 20), kBombMebibytes));
  EXPECT_THAT(refusal.sentence, testing::HasSubstr("m.fedstein: byte "));
  EXPECT_THAT(refusal.sentence, testing::HasSubstr("times as many bytes"));
  EXPECT_GE(refusal.growth, 0);
  EXPECT_LT(refusal.growth, 3 * kLittle);
}

}  // namespace
}  // namespace fedstein
