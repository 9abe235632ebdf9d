// Rates of what ranks share: the network, and files.
#include <armilla/bench/kernel_rates.hpp>
#include <armilla/comm/exchange.hpp>
#include <armilla/comm/phase.hpp>
#include <armilla/core/aligned_buffer.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/io/read.hpp>
#include <armilla/io/write.hpp>

#include <algorithm>
#include <complex>
#include <cstdio>
#include <memory>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

namespace armilla::bench {

namespace {

using core::Index;
using cost::Kernel;

constexpr Index kBufferBytes = Index{32} << 20;
constexpr Index kNside = 512;

/// Seconds of one all-to-all of `count` numbers for each pair of ranks, of the slowest rank.
double exchange_seconds(const RateCollector& rates, Index count, int calls) {
  const comm::Communicator& comm = rates.comm();
  std::vector<Index> counts(core::at(comm.size()), count), displacements;
  for (int rank = 0; rank < comm.size(); ++rank) displacements.push_back(rank * count);
  std::vector<std::complex<double>> send(core::at(count * comm.size())), receive(send.size());
  double seconds = rates.least_seconds(3, [&] {
    for (int call = 0; call < calls; ++call)
      comm::exchange<double>(comm, send, counts, displacements, receive, counts, displacements);
  });
  comm.max({&seconds, 1});
  return seconds / calls;
}

/// Removes a file at the end.
struct Scratch {
  const comm::Communicator& comm;
  std::string file;
  ~Scratch() {
    if (comm.is_root()) std::remove(file.c_str());
  }
};

void measure_format(RateCollector& rates, const std::string& file, Kernel write, Kernel read) {
  const comm::Communicator& comm = rates.comm();
  const auto pixels = std::make_shared<const dist::PixelDistribution>(
      std::make_shared<const grid::RingGrid>(grid::make_healpix(kNside)), comm.size());
  std::vector<double> map(core::at(pixels->local_pixels(comm.rank())), 1.0);
  const Scratch scratch{comm, file};
  const io::FieldMetadata metadata{{"T"}, {""}, "", {}};
  const auto amount = static_cast<double>(pixels->grid().npix() * static_cast<Index>(sizeof(double)));
  const auto add = [&](Kernel kernel, double seconds) {
    comm.max({&seconds, 1});
    // As all ranks together are the unit of rates of files, each adds its share.
    rates.add(kernel, 1, false, amount, seconds);
  };
  add(write, rates.least_seconds(2, [&] { io::write_map<double>(comm, file, metadata, *pixels, map, {}); }));
  std::vector<dist::PixelRange> ranges = pixels->pixel_ranges(comm.rank());
  add(read, rates.least_seconds(2, [&] {
        comm::phase(comm, [&] {
          const io::MapInfo info = io::open_map(file);
          io::read_map<double>(info, 0, ranges, map, io::BadDataPolicy::kError);
        });
      }));
}

}  // namespace

void measure_exchange(RateCollector& rates) {
  const comm::Communicator& comm = rates.comm();
  if (comm.size() == 1) return;
  const int partners = comm.size() - 1;
  const double small = exchange_seconds(rates, 1, 20);
  const Index count = std::max<Index>(kBufferBytes / 16 / comm.size(), 1);
  const double large = exchange_seconds(rates, count, 2);
  rates.rates().latency = small / partners;
  rates.rates().bandwidth = static_cast<double>(16 * count * partners) / std::max(large - small, 1e-9);
}

void measure_files(RateCollector& rates, const std::string& folder) {
  const std::string name = rates.comm().broadcast(fmt::format("{}/armilla-calibration-{}", folder, ::getpid()));
  measure_format(rates, name + ".h5", Kernel::kWriteHdf5, Kernel::kReadHdf5);
  measure_format(rates, name + ".fits", Kernel::kWriteFits, Kernel::kReadFits);
}

}  // namespace armilla::bench
