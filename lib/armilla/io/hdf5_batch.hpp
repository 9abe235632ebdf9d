#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/dist/distribution.hpp>
#include <armilla/io/atomic_file.hpp>
#include <armilla/io/hdf5_ranges.hpp>
#include <armilla/io/hdf5_writer.hpp>
#include <armilla/io/metadata.hpp>
#include <armilla/io/placed_writer.hpp>

#include <span>
#include <string>
#include <vector>

namespace armilla::io {

/// How many maps the dataset of that shape holds, and, from dataset `present` [map] where there is one, which of them
/// are there. Throws InputError.
BatchAxis read_batch_axis(hid_t file, const Hdf5Shape& shape, const std::string& path);

/// An HDF5 file with a batch axis in the making: a dataset [map][row][column], `present` [map] of bytes, 1 where the
/// map is there, and `label` [map], what each is called. Ranks write their parts of any map in any order, each on its
/// own: the dataset is one piece of the file, whose place is known, so that no library has to be asked. (Through HDF5,
/// groups of ranks that write different maps would have to open the file together, and one after the other.)
class BatchFile {
 public:
  /// Collective. `plan.maps` maps; `labels` has as many.
  BatchFile(const comm::Communicator& comm, const core::OutputPath& output, Hdf5Plan plan,
            const std::vector<std::string>& labels);
  BatchFile(const BatchFile&) = delete;
  BatchFile& operator=(const BatchFile&) = delete;

  /// Not collective, of any thread. `values`: [row][own column], of the number type of the file (float, double, or
  /// complex of them), for the columns `ranges`. Throws ResourceError.
  void write(Index map, std::span<const dist::PixelRange> ranges, std::span<const std::byte> values);
  /// Not collective. Says that a map is there. By one rank.
  void mark_present(Index map);
  /// Not collective. NaN in all of a map, which is not there. By one rank.
  void leave_out(Index map);
  /// Collective. The file appears under its name.
  void commit();

  /// Bytes of one number.
  Index number_bytes() const { return number_bytes_; }
  core::Precision precision() const { return precision_; }

 private:
  AtomicFile file_;
  Index rows_;
  Index columns_;
  Index number_bytes_;
  core::Precision precision_;
  Index begin_ = 0;    // of the dataset in the file
  Index present_ = 0;  // of dataset `present`
  PlacedWriter writer_;
};

/// Where the numbers of a contiguous dataset begin in the file [bytes]. Throws ResourceError.
Index hdf5_position(hid_t dataset, const std::string& context);

}  // namespace armilla::io
