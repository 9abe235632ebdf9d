#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/core/partial_file.hpp>
#include <armilla/io/hdf5_batch.hpp>
#include <armilla/job/value/value.hpp>
#include <armilla/job/value/value_info.hpp>

#include <complex>
#include <memory>
#include <span>
#include <string>
#include <vector>

/// Files of outputs.
namespace armilla::job {

/// Not collective; checks names only. Throws InputError if the format of the output, which follows from the name,
/// cannot store the value.
void check_output_format(const OutputSpec& output, const ValueInfo& value);

/// Whether a file of that name can have a batch axis.
bool can_have_batch_axis(const std::string& file);

/// Throws the error of a later write if no file can be created there.
void check_output_place(const core::OutputPath& file);

/// Whether an output stores other numbers than those in memory: in another unit or convention, or with BAD_DATA for
/// bad pixels. It then needs a copy of the value.
bool stores_other_numbers(const OutputSpec& output, const ValueInfo& value);

/// Numbers of a rank's coefficients of map `place`, as an output stores them.
template <class T>
std::vector<std::complex<T>> as_stored(const OutputSpec& output, const ValueInfo& info,
                                       const transform::AlmField<T>& alm, Index place);
/// Numbers [component][pixel or point] of a rank's part of a map or of values, as an output stores them.
template <class T>
std::vector<T> as_stored(const OutputSpec& output, const ValueInfo& info, std::span<const T> numbers);
/// A table as an output stores it.
alm::SpectraTable as_stored(const OutputSpec& output, const ValueInfo& info, const alm::SpectraTable& table);

/// Memory that the writer of a map needs on a rank, in addition to the field, whose numbers have `number` bytes.
/// `bytes`: of the file of one map.
Index writer_bytes(const OutputSpec& output, const ValueInfo& value, Index bytes, Index number, int rank);

/// Bytes of the file of one map; approximate for headers.
Index output_bytes(const OutputSpec& output, const ValueInfo& value);

/// Collective. Writes map `place` of a value to a file of its own. Throws the errors of the writers in io.
template <class T>
void write_value(const comm::Communicator& comm, const core::OutputPath& file, const OutputSpec& output,
                 const ValueInfo& info, const Value<T>& value, Index place);

/// An output with a batch axis: one HDF5 file for the maps of a campaign.
class BatchOutput {
 public:
  /// Collective over the ranks of all groups. Creates the file, or reopens that of an earlier run.
  BatchOutput(const comm::Communicator& world, const core::OutputPath& file, const OutputSpec& output,
              const ValueInfo& info, const std::vector<std::string>& labels);

  /// Not collective. Writes this rank's part of map `place` of a value as map `item` of the file. The root of a group
  /// (`is_root`) writes tables, and marks the map as present.
  template <class T>
  void write(const Value<T>& value, Index place, Index item, bool is_root);
  io::BatchFile& file() { return *file_; }

 private:
  OutputSpec output_;
  ValueInfo info_;
  std::unique_ptr<io::BatchFile> file_;
};

}  // namespace armilla::job
