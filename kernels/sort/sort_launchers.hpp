#pragma once

#include <kernels/core/each_number.hpp>
#include <kernels/sort/sort.hpp>

/// The kernels of sort.hpp: bodies and launchers. Include this in a file that defines launch_team.
namespace armilla::kernels {

/// Numbers of keys of a tile with each digit, for each thread. A thread counts consecutive keys.
struct DigitCounts {
  /// An odd number of words, because neighbouring threads sum the counts of neighbouring digits.
  static constexpr int kPitch = kSortThreads + 2;

  std::uint16_t of[kDigits][kPitch];

  /// Calls visit(index of a key, key, its digit) for the keys of a thread, in order.
  template <class Visit>
  HOST_DEVICE static void for_keys(const DigitSort& task, Index tile, int thread, const Visit& visit) {
    const Index begin = tile * kSortTile + Index{thread} * kSortPerThread;
    for (int k = 0; k < kSortPerThread && begin + k < task.count; ++k) {
      const std::uint32_t key = task.keys[begin + k];
      visit(begin + k, key, static_cast<int>(key >> task.shift) & (kDigits - 1));
    }
  }
  HOST_DEVICE void count(const DigitSort& task, Index tile, int thread) {
    for (int digit = 0; digit < kDigits; ++digit) of[digit][thread] = 0;
    for_keys(task, tile, thread, [&](Index, std::uint32_t, int digit) { ++of[digit][thread]; });
  }
};

/// places[digit][tile] = the number of keys with this digit.
struct CountDigits {
  using Lane = Nothing;
  using Shared = DigitCounts;
  static constexpr int kThreads = kSortThreads;

  DigitSort task;

  GridSize grid() const { return {sort_tiles(task.count)}; }
  template <class Team>
  HOST_DEVICE void run(Team& team, BlockIndex block) const {
    DigitCounts& counts = team.shared();
    team.each([&](Nothing&, int thread) { counts.count(task, block.x, thread); });
    team.barrier();
    team.each([&](Nothing&, int thread) {
      if (thread >= kDigits) return;
      std::uint32_t sum = 0;
      for (int i = 0; i < kSortThreads; ++i) sum += counts.of[thread][i];
      task.places[thread * sort_tiles(task.count) + block.x] = sum;
    });
  }
};

/// Replaces the counts by the number of keys before: those with smaller digits, or equal digits in earlier tiles. A
/// single block: there are 1/32 as many counts as keys.
struct SumDigits {
  static constexpr int kThreads = 1024;
  static constexpr int kPerThread = 16;
  struct Lane {
    std::uint32_t own, added;
  };
  struct Shared {
    std::uint32_t sums[kThreads];
    std::uint32_t before;
  };

  KernelPointer<std::uint32_t> places;
  Index count;

  GridSize grid() const { return {1}; }

  /// Calls visit(place) for the places of a thread in a round.
  template <class Visit>
  HOST_DEVICE void for_places(Index round, int thread, const Visit& visit) const {
    const Index begin = round + Index{thread} * kPerThread;
    for (int k = 0; k < kPerThread && begin + k < count; ++k) visit(places[begin + k]);
  }

  template <class Team>
  HOST_DEVICE void run(Team& team, BlockIndex) const {
    Shared& shared = team.shared();
    team.each([&](Lane&, int thread) {
      if (thread == 0) shared.before = 0;
    });
    for (Index round = 0; round < count; round += Index{kThreads} * kPerThread) {
      team.each([&](Lane& lane, int thread) {
        lane.own = 0;
        for_places(round, thread, [&](std::uint32_t& place) { lane.own += place; });
        shared.sums[thread] = lane.own;
      });
      team.barrier();
      for (int step = 1; step < kThreads; step *= 2) {
        team.each([&](Lane& lane, int thread) { lane.added = thread >= step ? shared.sums[thread - step] : 0; });
        team.barrier();
        team.each([&](Lane& lane, int thread) { shared.sums[thread] += lane.added; });
        team.barrier();
      }
      team.each([&](Lane& lane, int thread) {
        std::uint32_t next = shared.before + shared.sums[thread] - lane.own;
        for_places(round, thread, [&](std::uint32_t& place) {
          const std::uint32_t some = place;
          place = next;
          next += some;
        });
      });
      team.barrier();
      team.each([&](Lane&, int thread) {
        if (thread == 0) shared.before += shared.sums[kThreads - 1];
      });
      team.barrier();
    }
  }
};

/// Moves the keys of a tile to their places, in order.
struct MoveByDigit {
  using Lane = Nothing;
  static constexpr int kThreads = kSortThreads;
  struct Shared {
    DigitCounts counts;
    std::uint32_t first[kDigits];
  };

  DigitSort task;

  GridSize grid() const { return {sort_tiles(task.count)}; }
  template <class Team>
  HOST_DEVICE void run(Team& team, BlockIndex block) const {
    Shared& shared = team.shared();
    team.each([&](Nothing&, int thread) { shared.counts.count(task, block.x, thread); });
    team.barrier();
    team.each([&](Nothing&, int thread) {
      if (thread >= kDigits) return;
      shared.first[thread] = task.places[thread * sort_tiles(task.count) + block.x];
      int before = 0;
      for (int i = 0; i < kSortThreads; ++i) {
        const int some = shared.counts.of[thread][i];
        shared.counts.of[thread][i] = static_cast<std::uint16_t>(before);
        before += some;
      }
    });
    team.barrier();
    team.each([&](Nothing&, int thread) {
      DigitCounts::for_keys(task, block.x, thread, [&](Index i, std::uint32_t key, int digit) {
        const Index place = Index{shared.first[digit]} + shared.counts.of[digit][thread]++;
        task.sorted_keys[place] = key;
        task.sorted_numbers[place] = task.numbers == nullptr ? static_cast<std::uint32_t>(i) : task.numbers[i];
      });
    });
  }
};

/// Sets the begins of keys above key i - 1 up to key i.
struct FindKeyBegins {
  KeyBegins task;

  HOST_DEVICE void operator()(Index i) const {
    const Index first = i == 0 ? 0 : Index{task.keys[i - 1]} + 1;
    const Index last = i == task.count ? task.end : Index{task.keys[i]};
    for (Index key = first; key <= last; ++key) task.begins[key] = static_cast<std::uint32_t>(i);
  }
};

void sort_by_digit(const DeviceDigitSort& task, StreamHandle stream) {
  if (task.count == 0) return;
  launch_team(CountDigits{in_kernel(task)}, "digits of keys", stream);
  launch_team(SumDigits{in_kernel(task.places), sort_places(task.count)}, "sums of digits", stream);
  launch_team(MoveByDigit{in_kernel(task)}, "sorting by a digit", stream);
}

void find_key_begins(const DeviceKeyBegins& task, StreamHandle stream) {
  launch_numbers(FindKeyBegins{in_kernel(task)}, task.count + 1, "runs of keys", stream);
}

}  // namespace armilla::kernels
