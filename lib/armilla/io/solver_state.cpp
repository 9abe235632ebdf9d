#include <armilla/alm/convention.hpp>
#include <armilla/comm/phase.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/core/precision_name.hpp>
#include <armilla/io/hdf5_alm.hpp>
#include <armilla/io/hdf5_batch.hpp>
#include <armilla/io/read.hpp>
#include <armilla/io/solver_state.hpp>
#include <armilla/io/table.hpp>

#include <fmt/format.h>

namespace armilla::io {

namespace {

constexpr const char* kAbout = "about";
constexpr const char* kNumbers = "numbers";

}  // namespace

template <class T>
void write_solver_state(const comm::Communicator& comm, const core::OutputPath& output,
                        const std::vector<std::string>& components, const dist::AlmDistribution& alm,
                        const SolverStateParts<T>& state) {
  const FieldMetadata metadata{.fields = components, .units = {}, .coordsys = {}, .polcconv = {}};
  const WriteOptions options{.precision = core::kPrecisionOf<T>};
  Hdf5Plan plan = hdf5_alm_plan(metadata, alm.layout(), options);
  plan.maps = static_cast<Index>(state.fields.size());
  const auto describe = std::move(plan.describe);
  plan.describe = [&](hid_t file, hid_t dataset) {
    describe(file, dataset);
    write_hdf5_column(file, kAbout, H5T_STD_U8LE, H5T_NATIVE_UCHAR, static_cast<Index>(state.about.size()),
                      state.about.data());
    write_hdf5_column(file, kNumbers, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, static_cast<Index>(state.numbers.size()),
                      state.numbers.data());
  };
  std::vector<std::string> labels;
  for (Index field = 0; field < plan.maps; ++field) labels.push_back(fmt::format("{}", field));
  const std::vector<core::IndexRange> ranges = alm_ranges(alm, comm.rank(), alm.layout());
  BatchFile file(comm, output, std::move(plan), labels);
  comm::phase(comm, [&] {
    for (std::size_t field = 0; field < state.fields.size(); ++field) {
      file.write(static_cast<Index>(field), ranges, std::as_bytes(state.fields[field]));
      if (comm.is_root()) file.mark_present(static_cast<Index>(field));
    }
    file.sync();
  });
  file.finish();
  comm::phase(comm, [&] {
    if (comm.is_root()) file.publish();
  });
}

SolverStateInfo open_solver_state(const std::string& path) {
  SolverStateInfo info;
  info.alm = open_alm(path, BatchPolicy::kTake);
  for (const double byte : read_column(open_table(path, {.datasets = {kAbout}}), 0)) {
    if (!(byte >= 0 && byte <= 255))
      throw core::InputError(fmt::format("'{}': dataset '{}' contains {}, which is not a byte", path, kAbout, byte));
    info.about.push_back(static_cast<char>(static_cast<unsigned char>(byte)));
  }
  info.numbers = read_column(open_table(path, {.datasets = {kNumbers}}), 0);
  return info;
}

ARMILLA_INSTANTIATE(write_solver_state);

}  // namespace armilla::io
