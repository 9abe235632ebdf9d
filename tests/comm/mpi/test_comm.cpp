#include <armilla/comm/exchange.hpp>
#include <armilla/comm/mailbox.hpp>
#include <armilla/comm/message_exchange.hpp>
#include <armilla/comm/phase.hpp>
#include <armilla/core/host_name.hpp>
#include <armilla/core/stop_signals.hpp>

#include <algorithm>
#include <csignal>
#include <new>
#include <numeric>
#include <string>

#include "support/mpi_main.hpp"
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace armilla::comm {
namespace {

template <class T>
void check_exchange(Index limit) {
  const auto comm = Communicator::world();
  const int size = comm.size();
  // Rank r sends (r + 2 d) % 5 numbers to d: some exchanges are empty, none is symmetric.
  const auto count = [](int from, int to) { return Index{(from + 2 * to) % 5}; };
  std::vector<Index> out_counts;
  std::vector<Index> in_counts;
  for (int d = 0; d < size; ++d) {
    out_counts.push_back(count(comm.rank(), d));
    in_counts.push_back(count(d, comm.rank()));
  }
  const auto displacements = [](const std::vector<Index>& counts) {
    std::vector<Index> begins(counts.size());
    std::exclusive_scan(counts.begin(), counts.end(), begins.begin(), Index{0});
    return begins;
  };
  const auto out_begins = displacements(out_counts);
  const auto in_begins = displacements(in_counts);
  std::vector<std::complex<T>> out;
  for (int d = 0; d < size; ++d)
    for (Index i = 0; i < out_counts[static_cast<std::size_t>(d)]; ++i)
      out.emplace_back(static_cast<T>(100 * comm.rank() + d), static_cast<T>(i));
  std::vector<std::complex<T>> in(static_cast<std::size_t>(in_begins.back() + in_counts.back()), T(-1));
  exchange<T>(comm, out, out_counts, out_begins, in, in_counts, in_begins, limit);
  std::size_t next = 0;
  for (int s = 0; s < size; ++s)
    for (Index i = 0; i < in_counts[static_cast<std::size_t>(s)]; ++i)
      EXPECT_EQ(in[next++], std::complex<T>(static_cast<T>(100 * s + comm.rank()), static_cast<T>(i)));
}

TEST(Exchange, EveryNumberArrives) {
  check_exchange<double>(1 << 20);
  check_exchange<float>(1 << 20);
}

TEST(Exchange, CountsBeyondTheLimitAreSplit) {
  check_exchange<double>(1);
  check_exchange<float>(2);
}

// Part i of what rank r has for rank d: (r + 2 d + i) % 4 numbers, part after part in the block of d.
template <class T>
void check_parted_exchange(core::MemorySpace space) {
  constexpr std::size_t kParts = 3;
  const auto comm = Communicator::world();
  const auto ranks = static_cast<std::size_t>(comm.size()), own = static_cast<std::size_t>(comm.rank());
  const auto count = [](std::size_t from, std::size_t to, std::size_t part) {
    return static_cast<Index>((from + 2 * to + part) % 4);
  };
  const auto value = [](std::size_t from, std::size_t to, std::size_t part, Index i) {
    return std::complex<T>(static_cast<T>(100 * from + to), static_cast<T>(10 * static_cast<Index>(part) + i));
  };
  std::vector<core::ExchangePart> parts(kParts);
  std::vector<std::complex<T>> sent, expected;
  for (std::size_t other = 0; other < ranks; ++other)
    for (std::size_t part = 0; part < kParts; ++part) {
      const Index here = count(own, other, part), there = count(other, own, part);
      parts[part].here_counts.push_back(here);
      parts[part].here_displacements.push_back(static_cast<Index>(sent.size()));
      parts[part].there_counts.push_back(there);
      parts[part].there_displacements.push_back(static_cast<Index>(expected.size()));
      for (Index i = 0; i < here; ++i) sent.push_back(value(own, other, part, i));
      for (Index i = 0; i < there; ++i) expected.push_back(value(other, own, part, i));
    }
  MessageExchange<T> exchange(comm, parts, space);
  std::vector<std::complex<T>> there(expected.size() + 1, T(-1)), back(sent.size() + 1, T(-1));
  exchange.begin(PartedExchange<T>::Direction::kForward, sent.data(), there.data());
  exchange.start_next();
  while (!exchange.is_there(0)) exchange.poll();
  EXPECT_FALSE(exchange.is_there(1));
  exchange.start_next();
  exchange.finish();
  for (std::size_t part = 0; part < kParts; ++part) EXPECT_TRUE(exchange.is_there(part));
  there.pop_back();
  EXPECT_EQ(there, expected);
  exchange.begin(PartedExchange<T>::Direction::kBackward, there.data(), back.data());
  EXPECT_FALSE(exchange.is_there(0));
  exchange.finish();
  back.pop_back();
  EXPECT_EQ(back, sent);
}

TEST(PartedExchange, EveryNumberArrivesBothWays) {
  for (const auto space : {core::MemorySpace::kHost, core::MemorySpace::kDevice}) {
    check_parted_exchange<double>(space);
    check_parted_exchange<float>(space);
  }
}

TEST(Mailbox, EveryLetterArrivesOnce) {
  const auto world = Communicator::world();
  Mailbox mail(world);
  std::vector<Index> received;
  for (int round = 0; round < 3; ++round)
    for (int to = 0; to < world.size(); ++to) {
      if (world.rank() % 2 == 0) mail.send(to, 100 * round + world.rank());
      for (const Index letter : mail.receive()) received.push_back(letter);
    }
  for (const Index letter : mail.finish()) received.push_back(letter);
  std::ranges::sort(received);
  std::vector<Index> expected;
  for (int round = 0; round < 3; ++round)
    for (int from = 0; from < world.size(); from += 2) expected.push_back(100 * round + from);
  EXPECT_EQ(received, expected);
}

// claims: guarantee no_hang
TEST(Phase, AllRanksThrowWhatTheLowestFailingRankThrew) {
  const auto comm = Communicator::world();
  const int culprit = comm.size() - 1;
  try {
    phase(comm, [&] {
      if (comm.rank() == culprit) throw core::InputError("map.fits is gone");
    });
    FAIL() << "no rank may go on";
  } catch (const core::InputError& error) {
    EXPECT_EQ(std::string(error.what()).rfind("map.fits is gone", 0), 0u) << error.what();
  }
  try {
    phase(comm, [&] {
      if (comm.rank() == 0) throw std::bad_alloc();
      throw core::InternalError("later rank");
    });
    FAIL();
  } catch (const core::ResourceError& error) {
    EXPECT_NE(std::string(error.what()).find("out of memory"), std::string::npos);
  }
}

// The message of phase() if ranks first .. last fail with that error.
template <class Error>
std::string message_of(const Communicator& comm, int first, int last, const std::string& text) {
  try {
    phase(comm, [&] {
      if (comm.rank() >= first && comm.rank() <= last) throw Error(text);
    });
  } catch (const core::Error& error) {
    return error.what();
  }
  return "";
}

TEST(Phase, ErrorsThatNotAllRanksHaveNameRankAndHost) {
  const auto comm = Communicator::world();
  const int last = comm.size() - 1;
  const auto origin = [](int rank) { return fmt::format(" (rank {} on host {})", rank, core::host_name()); };
  using core::InputError, core::ResourceError;
  EXPECT_EQ(message_of<ResourceError>(comm, 0, last, "no memory"), "no memory");
  EXPECT_EQ(message_of<InputError>(comm, 0, 0, "bad key"), "bad key") << "the root checks for all";
  if (last == 0) return;
  EXPECT_EQ(message_of<ResourceError>(comm, 0, 0, "no memory"), "no memory" + origin(0));
  EXPECT_EQ(message_of<ResourceError>(comm, last, last, "no memory"), "no memory" + origin(last));
  EXPECT_EQ(message_of<InputError>(comm, last, last, "no file"), "no file" + origin(last));
  EXPECT_EQ(message_of<core::InternalError>(comm, 1, last, "a bug"), "a bug" + origin(1));
}

/// The error that all ranks get if `rank` fails with `parts` in a phase.
core::CaughtError agreed_error(const Communicator& comm, int rank, const core::ErrorContext& parts) {
  try {
    phase(comm, [&] {
      if (comm.rank() == rank) throw core::InputError(parts);
    });
  } catch (...) {
    return core::describe_current_exception();
  }
  return {core::ErrorKind::kInternal, "no error"};
}

TEST(Phase, ThePartsOfAnErrorReachAllRanks) {
  const auto comm = Communicator::world();
  using core::ErrorContext;
  // Only the rank that fails has these parts.
  for (int rank = 0; rank < comm.size(); ++rank) {
    ErrorContext parts;
    if (comm.rank() == rank)
      parts = {.where = "job.yaml:7",
               .section = "steps[2].analysis",
               .key = "method.cg.mask",
               .value = fmt::format("of rank {}", rank),
               .text = "is empty: set " + core::mention("execution", "precision", "double"),
               .form = ErrorContext::Form::kPredicate};
    const core::CaughtError error = agreed_error(comm, rank, parts);
    const std::string origin = rank == 0 ? "" : fmt::format(" (rank {} on host {})", rank, core::host_name());
    EXPECT_EQ(error.kind, core::ErrorKind::kInput);
    EXPECT_EQ(error.message, fmt::format("job.yaml:7: steps[2].analysis.method.cg.mask = of rank {} is empty: set "
                                         "execution.precision: double{}",
                                         rank, origin));
    ASSERT_TRUE(error.context);
    EXPECT_EQ(error.context->where, "job.yaml:7");
    EXPECT_EQ(error.context->section, "steps[2].analysis");
    EXPECT_EQ(error.context->key, "method.cg.mask");
    EXPECT_EQ(error.context->value, fmt::format("of rank {}", rank));
    EXPECT_EQ(error.context->text, "is empty: set " + core::mention("execution", "precision", "double") + origin);
    EXPECT_EQ(error.context->form, ErrorContext::Form::kPredicate);
    const core::CaughtError bare = agreed_error(comm, rank, {.text = comm.rank() == rank ? "bad" : ""});
    EXPECT_EQ(bare.message, "bad" + origin);
    EXPECT_FALSE(bare.context->value) << "no value is not an empty one";
  }
}

TEST(Phase, ErrorsOfGroupsKeepTheirParts) {
  const auto comm = Communicator::world();
  std::optional<core::CaughtError> mine;
  if (comm.rank() == comm.size() - 1) mine = agreed_error(Communicator::self(), 0, {.key = "map", .text = "is bad"});
  try {
    agree_of_groups(comm, mine);
    FAIL() << "all ranks must throw";
  } catch (const core::InputError& error) {
    EXPECT_EQ(std::string(error.what()), "map: is bad");
    EXPECT_EQ(error.context()->key, "map");
  }
}

TEST(Phase, ErrorsOfGroupsNameTheRankAmongAllOnce) {
  const auto world = Communicator::world();
  const bool fails = world.rank() == world.size() - 1;
  const auto group = world.split(world.rank() == 0 ? 0 : 1);
  const auto agreed = [&](const auto& error) {
    std::optional<core::CaughtError> mine;
    try {
      phase(group, [&] {
        if (fails) throw error;
      });
    } catch (...) {
      mine = core::describe_current_exception();
    }
    try {
      agree_of_groups(world, mine);
    } catch (const core::Error& found) {
      return std::string(found.what());
    }
    return std::string();
  };
  const std::string origin = fmt::format(" (rank {} on host {})", world.size() - 1, core::host_name());
  EXPECT_EQ(agreed(core::ResourceError("no memory")), "no memory" + (world.size() == 1 ? "" : origin));
  // Of a group of one rank, or of its root, the maps are to blame.
  EXPECT_EQ(agreed(core::InputError("bad map")), "bad map" + (world.size() <= 2 ? "" : origin));
}

TEST(Phase, ASignalToOneRankStopsAll) {
  using core::StopSignals;
  const auto comm = Communicator::world();
  const StopSignals signals(StopSignals::Usr1::kAtBoundary, StopSignals::Speech::kSilent);
  if (comm.rank() == comm.size() / 2) std::raise(SIGUSR1);
  phase(comm, [] {});  // no boundary
  EXPECT_THROW(agree(comm, core::stop_at_boundary()), core::Stopped);
  if (comm.rank() == comm.size() / 2) std::raise(SIGTERM);
  try {
    phase(comm, [] {});
    FAIL() << "no rank may go on";
  } catch (const core::Stopped& error) {
    EXPECT_EQ(std::string(error.what()).rfind("stopped by SIGTERM: ", 0), 0u);
  }
}

TEST(Phase, PassesWhereNobodyFails) {
  const auto comm = Communicator::world();
  int calls = 0;
  phase(comm, [&] { ++calls; });
  EXPECT_EQ(calls, 1);
}

TEST(Communicator, GathersTextsInOrderOfRanks) {
  const auto comm = Communicator::world();
  const auto texts = comm.gather(std::string(static_cast<std::size_t>(comm.rank()), 'x'));
  if (!comm.is_root()) return;
  ASSERT_EQ(static_cast<int>(texts.size()), comm.size());
  for (std::size_t r = 0; r < texts.size(); ++r) EXPECT_EQ(texts[r], std::string(r, 'x'));
}

TEST(Communicator, ReducesAndBroadcasts) {
  const auto comm = Communicator::world();
  std::vector<Index> one{1, comm.rank()};
  comm.sum(std::span<Index>(one));
  EXPECT_EQ(one[0], comm.size());
  EXPECT_EQ(one[1], comm.size() * (comm.size() - 1) / 2);
  std::vector<double> most{static_cast<double>(comm.rank())};
  comm.max(std::span<double>(most));
  EXPECT_EQ(most[0], comm.size() - 1);
  EXPECT_EQ(comm.broadcast(comm.is_root() ? "from the root" : ""), "from the root");
}

}  // namespace
}  // namespace armilla::comm

int main(int argc, char** argv) { return armilla::test::mpi_main(argc, argv); }
