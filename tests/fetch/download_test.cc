// SPDX-License-Identifier: Apache-2.0
// Against a real server: what is right arrives whole, what is wrong leaves nothing behind but a sentence.
#include "fedstein/fetch/download.h"

#include <condition_variable>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <sstream>

#include "fedstein/data/error.h"
#include "fedstein/fetch/http.h"
#include "fedstein/files/sha256.h"
#include "fetch/local_server.h"
#include "support/pack.h"
#include "support/temporary_folder.h"
#include "support/throws.h"

namespace fedstein {
namespace {

namespace fs = std::filesystem;

std::string sha256_of(std::string_view bytes) {
  Sha256 hash;
  hash.add(bytes);
  return std::move(hash).hex();
}

std::string content_of(const std::string& path) {
  std::ostringstream out;
  out << std::ifstream(path, std::ios::binary).rdbuf();
  return out.str();
}

class Download : public testing::Test {
 protected:
  Download() {
    for (std::size_t i = 0; i < 300000; ++i) body_ += static_cast<char>(i * i % 251);
    expected_ = {.sha256 = sha256_of(body_), .bytes = body_.size()};
    httplib::Server& routes = server_.routes();
    routes.Get("/good", [&](const httplib::Request& request, httplib::Response& response) {
      accepted_encoding_ = request.get_header_value("Accept-Encoding");
      response.set_content(body_, "application/octet-stream");
    });
    // As Apache does for .gz files: the packing belongs to the file, not to the transfer.
    routes.Get("/claims-encoding", [&](const httplib::Request&, httplib::Response& response) {
      response.set_header("Content-Encoding", "gzip");
      response.set_content(body_, "application/octet-stream");
    });
    routes.Get("/other", [&](const httplib::Request&, httplib::Response& response) {
      std::string other = body_;
      other[7] = 'x';
      response.set_content(other, "application/octet-stream");
    });
    routes.Get("/truncated", [&](const httplib::Request&, httplib::Response& response) {
      response.set_content_provider(
          body_.size(), "application/octet-stream", [&](std::size_t offset, std::size_t, httplib::DataSink& sink) {
            if (offset > 0) return false;  // announced all, sends half, hangs up
            return sink.write(body_.data(), body_.size() / 2);
          });
    });
    routes.Get("/short", [&](const httplib::Request&, httplib::Response& response) {
      response.set_content(body_.substr(0, 1000), "application/octet-stream");
    });
    routes.Get("/endless", [&](const httplib::Request&, httplib::Response& response) {
      response.set_chunked_content_provider("application/octet-stream", [&](std::size_t, httplib::DataSink& sink) {
        return sink.write(body_.data(), 100000);
      });
    });
    routes.Get("/silent", [&](const httplib::Request&, httplib::Response& response) {
      std::unique_lock lock(mutex_);
      test_over_.wait(lock, [&] { return over_; });
      response.status = 500;
    });
    routes.Get("/loop", [](const httplib::Request&, httplib::Response& response) { response.set_redirect("/loop"); });
    routes.Get("/step/1", [](const httplib::Request&, httplib::Response& response) { response.set_redirect("2?x=1"); });
    routes.Get("/step/2",
               [](const httplib::Request&, httplib::Response& response) { response.set_redirect("/good", 308); });
    server_.start();
  }
  ~Download() override {
    const std::lock_guard lock(mutex_);
    over_ = true;
    test_over_.notify_all();
  }

  void get(const std::string& target, const DownloadOptions& options = {.replacing = Replacing::kAnything}) const {
    download(server_.address(target), path_, expected_, options);
  }
  void expect_refused(const std::string& target, const std::string& part, const DownloadOptions& options = {}) const {
    EXPECT_THROW_MESSAGE(get(target, options), FetchError, part) << target;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path(""))) {
      EXPECT_TRUE(entry.is_directory()) << target << " left " << entry.path();
    }
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.path("set/data.bin");
  std::string body_;
  Expected expected_;
  std::string accepted_encoding_;
  std::mutex mutex_;
  std::condition_variable test_over_;
  bool over_ = false;
  LocalServer<> server_;
};

TEST_F(Download, AGoodFileArrives) {
  std::uint64_t last = 0;
  get("/good", {.progress = [&](std::uint64_t done, std::uint64_t total) {
        EXPECT_GT(done, last);
        EXPECT_EQ(total, 300000U);
        last = done;
        return true;
      }});
  EXPECT_EQ(content_of(path_), body_);
  EXPECT_EQ(last, body_.size());
  EXPECT_EQ(accepted_encoding_, "identity");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path("set")), fs::directory_iterator()), 1);
}

TEST_F(Download, ThroughRedirectsAndWithAClaimedEncoding) {
  get("/step/1");
  EXPECT_EQ(content_of(path_), body_);
  get("/claims-encoding");
  EXPECT_EQ(content_of(path_), body_);
}

TEST_F(Download, WhatIsWrongLeavesNothing) {
  expect_refused("/nowhere", "/nowhere: the host answers 404");
  expect_refused("/other", "is another file than expected: its SHA-256 is ");
  expect_refused("/truncated", "broke off");
  expect_refused("/short", "has 1000 bytes; expected 300000 bytes");
  expect_refused("/endless", "is longer than 300000 bytes");
  expect_refused("/loop", "more than 5 redirects, the last to ");
  expect_refused("/step/1", "more than 1 redirects", {.most_redirects = 1});
  expect_refused("/silent", "fell silent", {.limits = {.silence_seconds = 1}});
  expect_refused("/good", "was stopped", {.progress = [](std::uint64_t, std::uint64_t) { return false; }});
  expect_refused("/good", "took longer than -1 seconds", {.limits = {.total_seconds = -1}});
}

TEST_F(Download, AFailureLeavesTheFileThatWasThere) {
  get("/good");
  EXPECT_THROW(get("/other"), FetchError);
  EXPECT_EQ(content_of(path_), body_);
  fs::remove(path_);
  fs::create_directories(fs::path(path_).parent_path());
  std::ofstream(path_) << "the user's";
  EXPECT_THROW_MESSAGE(get("/good", {}), AlreadyThere, path_ + ": is there already");
  EXPECT_EQ(content_of(path_), "the user's");
}

TEST_F(Download, NobodyListens) {
  std::string address;
  {
    LocalServer<> gone;
    gone.start();
    address = gone.address("/good");
  }
  EXPECT_THROW_MESSAGE(download(address, path_, expected_), FetchError, address + ": no connection");
  EXPECT_FALSE(fs::exists(path_));
}

TEST_F(Download, TheDiskIsAtFault) {
  folder_.write("file", "");
  EXPECT_THROW_MESSAGE(download(server_.address("/good"), folder_.path("file/data"), expected_),
                       WriteError,
                       "its folder cannot be made");
}

TEST(DownloadUnpacked, IsComparedByWhatIsInside) {
  const TemporaryFolder folder;
  const std::string text(100000, 'a');
  LocalServer<> server;
  server.routes().Get("/packed", [&](const httplib::Request&, httplib::Response& response) {
    response.set_content(gzipped(text), "application/octet-stream");
  });
  server.routes().Get("/bomb", [&](const httplib::Request&, httplib::Response& response) {
    response.set_content(gzipped(text + text), "application/octet-stream");
  });
  server.routes().Get("/cut", [&](const httplib::Request&, httplib::Response& response) {
    const std::string packed = gzipped(text);
    response.set_content(packed.substr(0, packed.size() / 2), "application/octet-stream");
  });
  server.start();
  Expected expected{.sha256 = sha256_of(text), .bytes = text.size(), .unpacked = true, .most_bytes = 5000};
  download(server.address("/packed"), folder.path("a.gz"), expected);
  EXPECT_EQ(content_of(folder.path("a.gz")), gzipped(text));
  EXPECT_THROW_MESSAGE(
      download(server.address("/bomb"), folder.path("b.gz"), expected), FetchError, "cannot be unpacked");
  EXPECT_THROW_MESSAGE(
      download(server.address("/cut"), folder.path("b.gz"), expected), FetchError, "cannot be unpacked");
  expected.most_bytes = 10;
  EXPECT_THROW_MESSAGE(
      download(server.address("/packed"), folder.path("b.gz"), expected), FetchError, "expected at most 10 bytes");
  EXPECT_FALSE(fs::exists(folder.path("b.gz")));
}

// A certificate that nobody signed is worth nothing, however good the file behind it.
TEST(DownloadSecure, RefusesAHostThatCannotBeTrusted) {
  const TemporaryFolder folder;
  const std::string command =
      "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj "
      "/CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1 -keyout " +
      folder.path("key.pem") + " -out " + folder.path("certificate.pem") + " 2> /dev/null";
  ASSERT_EQ(std::system(command.c_str()), 0);
  const std::string certificate = folder.path("certificate.pem");
  const std::string key = folder.path("key.pem");
  LocalServer<httplib::SSLServer> server(certificate.c_str(), key.c_str());
  server.routes().Get("/good", [](const httplib::Request&, httplib::Response& response) {
    response.set_content("good", "text/plain");
  });
  server.start();
  EXPECT_THROW_MESSAGE(
      download(server.address("/good", "https"), folder.path("x"), {.sha256 = sha256_of("good"), .bytes = 4}),
      FetchError,
      "certificate cannot be trusted");
  EXPECT_FALSE(fs::exists(folder.path("x")));
}

TEST(Addresses, AreTakenApartAndFollowed) {
  EXPECT_EQ(parse_url("http://host:8080/a/b?c=d#e").target, "/a/b?c=d");
  EXPECT_EQ(parse_url("https://host").target, "/");
  EXPECT_EQ(parse_url("https://host?x").target, "/?x");
  for (const char* bad : {"", "host/a", "ftp://host/a", "http://", "http:///a", "http://a@b/c", "http://a/b c"}) {
    EXPECT_THROW_MESSAGE(parse_url(bad), FetchError, "is no address to fetch from") << bad;
  }
  EXPECT_EQ(resolve_redirect("http://a/b/c?d", "e"), "http://a/b/e");
  EXPECT_EQ(resolve_redirect("http://a/b/c", "/e"), "http://a/e");
  EXPECT_EQ(resolve_redirect("https://a/b/c", "//f/e"), "https://f/e");
  EXPECT_EQ(resolve_redirect("http://a/b", "https://c/d"), "https://c/d");
  EXPECT_THROW_MESSAGE(resolve_redirect("https://a/b", "http://c/d"), FetchError, "from https to");
}

TEST(Sha256, OfKnownText) {
  EXPECT_EQ(sha256_of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

}  // namespace
}  // namespace fedstein
