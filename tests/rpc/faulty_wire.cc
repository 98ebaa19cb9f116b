// SPDX-License-Identifier: Apache-2.0
#include "rpc/faulty_wire.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <stdexcept>

namespace fedstein {
namespace {

sockaddr_in loopback(int port) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

}  // namespace

// Two sockets and the threads that carry bytes between them.
struct FaultyWire::Pair {
  Pair(int near_end, int far_end) : agent(near_end), server(far_end) {}
  ~Pair() {
    hang_up();
    up.join();
    down.join();
    close(agent);
    close(server);
  }
  void hang_up() {
    over = true;
    shutdown(agent, SHUT_RDWR);
    shutdown(server, SHUT_RDWR);
  }
  int agent;
  int server;
  std::atomic<bool> over{false};
  std::thread up;
  std::thread down;
};

FaultyWire::FaultyWire() : listener_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  if (bind(listener_, generic, size) != 0 || listen(listener_, 256) != 0 ||
      getsockname(listener_, generic, &size) != 0) {
    throw std::runtime_error("FaultyWire: no port");
  }
  port_ = ntohs(address.sin_port);
  acceptor_ = std::thread([this] { accept_calls(); });
}

FaultyWire::~FaultyWire() {
  closing_ = true;
  shutdown(listener_, SHUT_RDWR);
  acceptor_.join();
  close(listener_);
  pairs_.clear();
}

void FaultyWire::accept_calls() {
  while (!closing_) {
    const int agent = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (agent < 0) continue;
    const int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = loopback(target_);
    if (connect(server, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
      close(agent);
      close(server);
      continue;
    }
    const std::lock_guard lock(mutex_);
    pairs_.remove_if([](const auto& pair) { return pair->over.load(); });
    Pair& pair = *pairs_.emplace_back(std::make_unique<Pair>(agent, server));
    pair.up = std::thread([this, &pair] { pump(pair, true); });
    pair.down = std::thread([this, &pair] { pump(pair, false); });
  }
}

void FaultyWire::pump(Pair& pair, bool towards_server) {
  const int from = towards_server ? pair.agent : pair.server;
  const int to = towards_server ? pair.server : pair.agent;
  std::array<char, 65536> bytes{};
  for (;;) {
    const ssize_t count = recv(from, bytes.data(), bytes.size(), 0);
    if (count <= 0) break;
    if (const long wait = delay_; wait > 0) std::this_thread::sleep_for(std::chrono::milliseconds(wait));
    if (send(to, bytes.data(), static_cast<std::size_t>(count), MSG_NOSIGNAL) != count) break;
  }
  pair.hang_up();
}

int FaultyWire::cut() {
  const std::lock_guard lock(mutex_);
  int cuts = 0;
  for (const auto& pair : pairs_) {
    if (pair->over.exchange(true)) continue;
    pair->hang_up();
    ++cuts;
  }
  return cuts;
}

}  // namespace fedstein
