// SPDX-License-Identifier: Apache-2.0
#include "fedstein/posterior/posterior_file.h"

#include <bit>
#include <cmath>
#include <cstring>

#include "fedstein/data/error.h"
#include "fedstein/data/source.h"
#include "fedstein/files/sha256.h"
#include "fedstein/files/whole_file.h"
#include "fedstein/model/posterior_covariance.h"
#include "fedstein/numeric/check.h"
#include "fedstein/posterior/posterior_header.h"

namespace fedstein {
namespace {

static_assert(std::endian::native == std::endian::little, "posterior files are written as they lie in memory");

constexpr std::string_view kMagic = "FSPOST\r\n";
constexpr std::size_t kPreface = 8 + 3 * sizeof(std::uint64_t);
constexpr std::size_t kDigest = 32;

std::string digest_of(std::string_view bytes) {
  Sha256 sum;
  sum.add(bytes);
  const std::string hex = std::move(sum).hex();
  std::string out;
  for (std::size_t i = 0; i < hex.size(); i += 2) out += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  return out;
}

void append(std::string& bytes, std::uint64_t value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::uint64_t number_at(std::string_view bytes, std::size_t place) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data() + place, sizeof value);
  return value;
}

bool is_read(std::uint64_t format) {
  return format >= 1 && format <= kPosteriorFormat;
}

// What stands before and behind header and particles; the returned view is those two, the first `header_bytes` of
// which are the header.
std::string_view opened(std::string_view bytes, const std::string& name, std::size_t& header_bytes) {
  if (!bytes.starts_with(kMagic.substr(0, std::min(kMagic.size(), bytes.size()))) || bytes.empty()) {
    fail_file(name, "this is no posterior file of fedstein; run, reproduce, serve and calibrate write them");
  }
  if (bytes.size() < kPreface + kDigest) {
    fail_file(name, "the posterior file is cut short: it has " + std::to_string(bytes.size()) + " bytes");
  }
  if (const std::uint64_t format = number_at(bytes, 8); !is_read(format)) {
    fail_file(name,
              "the posterior file has format " + std::to_string(format) + "; this fedstein reads formats 1 to " +
                  std::to_string(kPosteriorFormat) + (format > kPosteriorFormat ? ", a newer one wrote it" : ""));
  }
  if (const std::uint64_t expected = number_at(bytes, 16); expected != bytes.size()) {
    fail_file(name,
              std::string("the posterior file is ") + (bytes.size() < expected ? "cut short" : "damaged") +
                  ": it has " + std::to_string(bytes.size()) + " bytes; expected " + std::to_string(expected));
  }
  const std::string_view signed_part = bytes.substr(0, bytes.size() - kDigest);
  if (digest_of(signed_part) != bytes.substr(signed_part.size())) {
    fail_file(name, "the posterior file is damaged: its SHA-256 is another than the one it carries");
  }
  const std::uint64_t stated = number_at(bytes, 24);
  const std::string_view inside = signed_part.substr(kPreface);
  if (stated > inside.size()) fail_file(name, "the posterior file contradicts itself: its header is longer than it is");
  header_bytes = static_cast<std::size_t>(stated);
  return inside;
}

// The file as far as its header promises, and not a block further: what is packed can go on for ever. A front that is
// not ours is all there is to be said about.
std::string read_as_promised(ByteSource source) {
  std::string bytes;
  std::string_view block = source.next();
  for (; !block.empty() && bytes.size() < kPreface; block = source.next()) bytes += block;
  if (!bytes.starts_with(kMagic) || bytes.size() < kPreface || !is_read(number_at(bytes, 8))) return bytes;
  const std::uint64_t promised = number_at(bytes, 16);
  if (source.is_packed() && promised > kMostPackedPosterior) {
    fail_file(source.name(),
              "the packed posterior file promises " + std::to_string(promised) +
                  " bytes; packed, it may have at most " + std::to_string(kMostPackedPosterior) +
                  " (unpack it first if you trust it)");
  }
  for (; !block.empty() && bytes.size() <= promised; block = source.next()) bytes += block;
  if (bytes.size() > promised) {
    fail_file(
        source.name(),
        "the posterior file is damaged: it has more bytes than the " + std::to_string(promised) + " that it promises");
  }
  return bytes;
}

// Numbers of the file's width as ours.
template <typename Stored>
void read_numbers(std::string_view bytes, Particles& out) {
  using Numbers = Eigen::Matrix<Stored, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Numbers stored(out.rows(), out.cols());
  std::memcpy(stored.data(), bytes.data(), bytes.size());
  out = stored.template cast<Real>();
}

std::size_t triangle_bytes(std::uint64_t dimension) {
  return static_cast<std::size_t>(dimension * (dimension + 1) / 2) * sizeof(double);
}

std::string triangle_of(const DoubleMatrix& covariance) {
  std::string bytes;
  for (Index i = 0; i < covariance.rows(); ++i) {
    bytes.append(reinterpret_cast<const char*>(covariance.row(i).data()),
                 static_cast<std::size_t>(i + 1) * sizeof(double));
  }
  return bytes;
}

DoubleMatrix covariance_from(std::string_view bytes, Index dimension) {
  DoubleMatrix out(dimension, dimension);
  for (Index i = 0; i < dimension; ++i) {
    const std::size_t size = static_cast<std::size_t>(i + 1) * sizeof(double);
    std::memcpy(out.row(i).data(), bytes.data(), size);
    bytes.remove_prefix(size);
    out.col(i).head(i) = out.row(i).head(i).transpose();
  }
  return out;
}

}  // namespace

std::string to_bytes(const Posterior& posterior, const Registry& registry) {
  check_posterior(posterior, registry);
  const std::string header = header_text(posterior);
  const std::size_t numbers = static_cast<std::size_t>(posterior.particles.size()) * sizeof(Real);
  std::string bytes(kMagic);
  append(bytes, kPosteriorFormat);
  const std::string triangle = triangle_of(posterior.covariance);
  append(bytes, kPreface + header.size() + numbers + triangle.size() + kDigest);
  append(bytes, header.size());
  bytes += header;
  bytes.append(reinterpret_cast<const char*>(posterior.particles.data()), numbers);
  bytes += triangle;
  return bytes + digest_of(bytes);
}

Posterior posterior_from(std::string_view bytes, const std::string& name, const Registry& registry) {
  std::size_t header_bytes = 0;
  const std::string_view inside = opened(bytes, name, header_bytes);
  try {
    PosteriorHeader header = header_from(inside.substr(0, header_bytes), registry);
    std::string_view numbers = inside.substr(header_bytes);
    std::string_view triangle;
    if (header.has_covariance) {
      check_argument(header.dimension <= static_cast<std::uint64_t>(kMostCovarianceParameters) &&
                         numbers.size() >= triangle_bytes(header.dimension),
                     "posterior",
                     "the covariance is of other bytes than the header says");
      triangle = numbers.substr(numbers.size() - triangle_bytes(header.dimension));
      numbers.remove_suffix(triangle.size());
    }
    const std::uint64_t width = header.number_bytes;
    // Divided, not multiplied: sizes that somebody made up must not overflow.
    const bool fits = numbers.size() % width == 0 && header.particles > 0 && header.dimension > 0 &&
                      numbers.size() / width % header.particles == 0 &&
                      numbers.size() / width / header.particles == header.dimension;
    check_argument(fits, "posterior", "the particles are other bytes than the header says");
    Particles& particles = header.posterior.particles;
    particles.resize(static_cast<Index>(header.particles), static_cast<Index>(header.dimension));
    width == sizeof(float) ? read_numbers<float>(numbers, particles) : read_numbers<double>(numbers, particles);
    if (header.has_covariance) header.posterior.covariance = covariance_from(triangle, particles.cols());
    check_posterior(header.posterior, registry);
    return std::move(header.posterior);
  } catch (const UnknownName& problem) {
    fail_file(name, std::string("the posterior is of a model that is not known here: ") + problem.what());
  } catch (const InvalidArgument& problem) {
    fail_file(name, std::string("the posterior file contradicts itself: ") + problem.what());
  }
}

WriteOptions posterior_output() {
  return {.replacing = Replacing::kOurs, .ours = {kMagic, kMagic.size()}};
}

void save_posterior(const Posterior& posterior,
                    const std::string& path,
                    const WriteOptions& options,
                    const Registry& registry) {
  write_whole_file(path, to_bytes(posterior, registry), options);
}

Posterior load_posterior(const std::string& path, const Registry& registry) {
  return posterior_from(read_as_promised(ByteSource::open(path)), path, registry);
}

}  // namespace fedstein
