// SPDX-License-Identifier: Apache-2.0
#include "fedstein/store/export/export.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>

#include "fedstein/files/zip_writer.h"
#include "store/stored_rounds.h"
#include "support/temporary_folder.h"
#include "support/throws.h"

namespace fedstein {
namespace {

using Json = nlohmann::json;

// A run with two jobs: one with everything, one that failed before its first round.
class Export : public testing::Test {
 protected:
  Export() : store_(folder_.path("runs.db"), RunStore::Mode::kWrite) {
    run_ = store_.begin(facts_named("a"),
                        {{.case_name = "twonorm, \"K\" = 20", .algorithm = "dsvgd \xCF\x86", .trial = 1, .rounds = 2},
                         {.case_name = "other", .algorithm = "fedavg", .trial = 2, .rounds = 2, .centralised = true}});
    job_ = store_.jobs(run_)[0].id;
    store_.write_round(job_, {.round = 1, .scheduled = {0, 1}, .seconds = 0.1, .figures = {{"accuracy", 1.0 / 3}}});
    store_.write_round(job_,
                       {.round = 2,
                        .folded = {0},
                        .failures = {{.round = 2, .agent = 1, .kind = Failure::Kind::kTimedOut, .reason = "late"}},
                        .bytes_down = 12,
                        .bytes_up = 34,
                        .spread = std::nan(""),
                        .figures = {{"ksd", -std::numeric_limits<double>::infinity()}}});
    store_.write_particles(job_, 2, particles_of(job_, 2));
    store_.write_particles(job_, 1, Particles::Ones(40, 50));  // compresses well
    store_.write_density(job_, 1, particles_of(job_, 7));
    store_.write_reliability(job_, 2, {{1, 0, 0.4}, {9, 8, 8.1}});
    store_.finish_job(store_.jobs(run_)[1].id, "broke");
  }
  template <typename Form>
  std::string text(Form form) const {
    std::string out;
    form(store_, run_, [&](std::string_view bytes) { out += bytes; });
    return out;
  }
  // What Python makes of the archive.
  Json through_python(const std::string& archive, const std::string& what = {}) const {
    const std::string path = folder_.write("run.npz", archive);
    const std::string command = "python3 '" FEDSTEIN_SOURCE_DIR "/tests/store/read_npz.py' '" + path + "' " + what;
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
    std::string out;
    std::array<char, 4096> block{};
    while (const std::size_t got = fread(block.data(), 1, block.size(), pipe.get())) out.append(block.data(), got);
    return Json::parse(out);
  }

  TemporaryFolder folder_;
  RunStore store_;
  RunId run_ = 0;
  JobId job_ = 0;
};

TEST_F(Export, CsvIsTheLongForm) {
  EXPECT_EQ(text(export_csv),
            "case,algorithm,trial,round,seconds,bytes_down,bytes_up,spread,scheduled,folded,failures,accuracy,ksd\n"
            "\"twonorm, \"\"K\"\" = 20\",dsvgd \xCF\x86,1,1,0.1,0,0,0,2,0,0,0.3333333333333333,\n"
            "\"twonorm, \"\"K\"\" = 20\",dsvgd \xCF\x86,1,2,0,12,34,nan,0,1,1,,-inf\n");
}

TEST_F(Export, JsonHoldsEverythingButParticles) {
  const Json json = Json::parse(text(export_json));
  EXPECT_EQ(json["run"]["name"], "a");
  EXPECT_EQ(json["run"]["seed"].get<std::uint64_t>(), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(json["run"]["configuration"]["trials"], 2);
  ASSERT_EQ(json["jobs"].size(), 2U);
  const Json& job = json["jobs"][0];
  EXPECT_EQ(job["status"], "unfinished");
  EXPECT_EQ(job["rounds"][0]["figures"]["accuracy"].get<double>(), 1.0 / 3);
  EXPECT_EQ(job["rounds"][1]["figures"]["ksd"], "-inf");
  EXPECT_EQ(job["rounds"][1]["spread"], "nan");
  EXPECT_EQ(job["rounds"][1]["failures"][0]["kind"], name_of(Failure::Kind::kTimedOut));
  EXPECT_EQ(job["reliability"][0]["bins"][1]["confidence_sum"], 8.1);
  EXPECT_EQ(job["rounds_with_particles"], Json({1, 2}));
  EXPECT_EQ(json["jobs"][1]["status"], "failed");
  EXPECT_EQ(json["jobs"][1]["error"], "broke");
  EXPECT_TRUE(json["jobs"][1]["centralised"].get<bool>());
}

TEST_F(Export, NpzIsWhatNumpyReads) {
  const Json arrays = through_python(text(export_npz));
  EXPECT_EQ(arrays["case"]["values"], Json({"twonorm, \"K\" = 20", "twonorm, \"K\" = 20"}));
  EXPECT_EQ(arrays["algorithm"]["values"][0], "dsvgd \xCF\x86");
  EXPECT_EQ(arrays["round"], Json({{"type", "<i8"}, {"shape", {2}}, {"values", {1, 2}}}));
  EXPECT_EQ(arrays["figure/accuracy"]["values"][0].get<double>(), 1.0 / 3);
  EXPECT_EQ(arrays["figure/accuracy"]["values"][1], "nan");
  EXPECT_EQ(arrays["figure/ksd"]["values"], Json({"nan", "-inf"}));
  EXPECT_EQ(Json::parse(arrays["run"]["values"][0].get<std::string>())["name"], "a");
  EXPECT_EQ(arrays["run"]["shape"], Json::array());
  const std::string key = "/" + std::to_string(job_) + "/2";
  EXPECT_EQ(arrays["reliability" + key]["shape"], Json({2, 5}));
  EXPECT_EQ(arrays["reliability" + key]["values"][9], 8.1);
  EXPECT_EQ(arrays["density/" + std::to_string(job_) + "/1"]["shape"], Json({3, 4}));
  EXPECT_EQ(arrays["particles" + key]["shape"], Json({3, 4}));
  EXPECT_EQ(arrays["particles" + key]["type"], sizeof(Real) == 4 ? "<f4" : "<f8");
  const Particles particles = particles_of(job_, 2);
  for (Index i = 0; i < particles.size(); ++i) {
    EXPECT_EQ(arrays["particles" + key]["values"][static_cast<std::size_t>(i)].get<double>(),
              static_cast<double>(particles.data()[i]));
  }
}

TEST_F(Export, NpzIsCompressedWhereThatHelps) {
  const std::string archive = text(export_npz);
  EXPECT_LT(archive.size(), 2000 * sizeof(Real));
  const Json ones = through_python(archive)["particles/" + std::to_string(job_) + "/1"];
  EXPECT_EQ(ones["shape"], Json({40, 50}));
  EXPECT_EQ(ones["values"], Json(std::vector<double>(2000, 1.0)));
}

TEST_F(Export, TheSameNumbersMakeTheSameBytes) {
  EXPECT_EQ(text(export_npz), text(export_npz));
}

// More members than the archive's classic directory can count.
TEST_F(Export, ManyMembers) {
  std::string out;
  const ByteSink sink = [&](std::string_view bytes) { out += bytes; };
  ZipWriter zip(sink);
  for (int i = 0; i < 66000; ++i) zip.add(std::to_string(i) + ".npy", "same");
  zip.finish();
  EXPECT_EQ(through_python(out, "count"), 66000);
}

TEST_F(Export, OfARunThatIsNotThere) {
  const ByteSink nowhere = [](std::string_view) {};
  EXPECT_THROW_MESSAGE(export_csv(store_, 9, nowhere), StoreError, "there is no run 9");
  EXPECT_THROW_MESSAGE(export_json(store_, 9, nowhere), StoreError, "there is no run 9");
  EXPECT_THROW_MESSAGE(export_npz(store_, 9, nowhere), StoreError, "there is no run 9");
}

}  // namespace
}  // namespace fedstein
