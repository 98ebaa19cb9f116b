// SPDX-License-Identifier: Apache-2.0
#include "fedstein/fetch/originals.h"

#include <filesystem>
#include <set>

#include "data/data_folder.h"
#include "fedstein/data/load.h"
#include "fedstein/data/missing_set.h"
#include "fedstein/data/source.h"
#include "fedstein/fetch/fetch.h"
#include "fedstein/fetch/http.h"
#include "fedstein/files/sha256.h"
#include "fedstein/numeric/check.h"
#include "fetch/local_server.h"
#include "support/temporary_folder.h"
#include "support/throws.h"

namespace fedstein {
namespace {

namespace fs = std::filesystem;

TEST(Originals, AreWellFormedAndWhatTheRegistryNeeds) {
  std::set<std::string> places;
  for (const DatasetInfo& info : known_datasets()) {
    const std::vector<Original> originals = originals_of(info.name);
    EXPECT_EQ(has_public_original(info), !originals.empty()) << info.name << ": what messages say of it";
    if (originals.empty()) continue;
    EXPECT_EQ(originals.size(), info.files.size()) << info.name;
    for (const Original& original : originals) {
      EXPECT_NE(parse_url(original.address).host, "");
      EXPECT_EQ(original.expected.sha256.size(), 64U);
      EXPECT_GT(original.expected.bytes, 0U);
      EXPECT_EQ(original.expected.unpacked, original.expected.most_bytes > 0);
      EXPECT_TRUE(places.insert(original.file).second) << original.file;
      const bool needed = std::any_of(info.files.begin(), info.files.end(), [&](const std::string& file) {
        return file == original.file || file == original.file + ".gz";
      });
      EXPECT_TRUE(needed) << info.name << " does not read " << original.file;
    }
  }
  EXPECT_GE(places.size(), 15U);
}

TEST(Originals, SetsWithoutOneSaySo) {
  EXPECT_THROW_MESSAGE(fetch_dataset("twonorm", {}), FetchError, "its generator can make such a set");
  EXPECT_THROW_MESSAGE(fetch_dataset("ecg", {}), FetchError, "no known public original with a checksum");
  EXPECT_THROW_MESSAGE(fetch_dataset("nothing", {}), InvalidArgument, "there is no dataset 'nothing'");
}

// The table's hashes are those of the real files, packed or not.
TEST(Originals, AgreeWithTheRealFiles) {
  FEDSTEIN_DATA_FOLDER_OR_SKIP(folder);
  for (const DatasetInfo& info : known_datasets()) {
    for (const Original& original : originals_of(info.name)) {
      const std::string path = folder + "/" + original.file;
      const bool packed_here = !fs::exists(path);
      Sha256 hash;
      std::uint64_t bytes = 0;
      const auto add = [&](std::string_view block) {
        hash.add(block);
        bytes += block.size();
      };
      if (packed_here || original.expected.unpacked) {
        ByteSource source = ByteSource::open(packed_here ? path + ".gz" : path);
        for (std::string_view block = source.next(); !block.empty(); block = source.next()) add(block);
      } else {
        std::ifstream file(path, std::ios::binary);
        for (std::string block(1 << 16, '\0'); file.read(block.data(), 1 << 16), file.gcount() > 0;) {
          add({block.data(), static_cast<std::size_t>(file.gcount())});
        }
      }
      EXPECT_EQ(bytes, original.expected.bytes) << original.file;
      EXPECT_EQ(std::move(hash).hex(), original.expected.sha256) << original.file;
    }
  }
}

// From a mirror into an empty folder, and then by name.
TEST(Fetch, ASetFromAMirrorLoads) {
  FEDSTEIN_DATA_FOLDER_OR_SKIP(real);
  const TemporaryFolder folder;
  LocalServer<> server;
  ASSERT_TRUE(server.routes().set_mount_point("/mirror", real));
  server.start();
  std::vector<std::string> seen;
  FetchOptions options{.data_folder = folder.path("data"), .from = server.address("/mirror")};
  options.progress = [&](const Original& original, std::uint64_t, std::uint64_t) {
    if (seen.empty() || seen.back() != original.file) seen.push_back(original.file);
    return true;
  };
  EXPECT_EQ(fetch_dataset("titanic", options), 1U);
  EXPECT_EQ(fetch_dataset("ecg200", options), 2U);
  EXPECT_EQ(fetch_dataset("covertype", options), 1U);
  EXPECT_EQ(fetch_dataset("ecg200", options), 0U) << "what is there is not fetched again";
  options.replace = true;
  EXPECT_EQ(fetch_dataset("ecg200", options), 2U);
  EXPECT_THAT(seen,
              testing::ElementsAre("raetsch/mat/titanic.mat",
                                   "ecg/ECG200_TRAIN.tsv",
                                   "ecg/ECG200_TEST.tsv",
                                   "covertype/covtype.data.gz",
                                   "ecg/ECG200_TRAIN.tsv",
                                   "ecg/ECG200_TEST.tsv"));
  for (const char* name : {"titanic", "ecg200"}) {
    check_contents(find_dataset(name), load_dataset(name, options.data_folder));
  }
}

}  // namespace
}  // namespace fedstein
