#pragma once

#include <armilla/core/input_file.hpp>
#include <armilla/io/metadata.hpp>
#include <armilla/io/same_file.hpp>
#include <armilla/job/parse/job_spec.hpp>
#include <armilla/job/value/value.hpp>

#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace armilla::job {

using io::BadPixels;
using io::check_same_on_all_ranks;
using io::different_file_text;
using io::same_on_all_ranks;

/// A dimension of the maps of an input: "map", "time", "level", with the coordinate of each of them as text.
struct BatchDimension {
  std::string name;
  std::vector<std::string> labels;
};

/// What an input contains, known before it is read. Members that the sort does not have are empty.
struct Described {
  ValueSort sort = ValueSort::kMap;
  std::shared_ptr<const grid::RingGrid> grid = {};       ///< of a map
  Index lmax = 0;                                        ///< of an alm, or of tables
  Index mmax = 0;                                        ///< of an alm
  Index points = 0;                                      ///< of points and values
  std::optional<Index> own_points = {};                  ///< of this rank, if the caller has distributed them
  Index components = 0;                                  ///< of a field
  io::FieldMetadata metadata = {};                       ///< of a field
  alm::Convention convention = {};                       ///< of an alm, as stored
  core::Precision precision = core::Precision::kDouble;  ///< of the stored numbers of a field
  /// The contents of tables, which are read with the header. For an input with many maps, those of the first.
  std::shared_ptr<const alm::SpectraTable> table = {};
  Index node_bytes = 0;  ///< memory that the ranks of a node share for the contents of compressed files
  std::vector<BatchDimension> dimensions = {};  ///< of the maps of a batch; none for a single map
};

/// One map of a source, opened.
class SourceItem {
 public:
  SourceItem() = default;
  SourceItem(const SourceItem&) = delete;
  SourceItem& operator=(const SourceItem&) = delete;
  virtual ~SourceItem() = default;

  /// The state of its file when it was opened; empty if it is not in a file.
  virtual core::FileState seen() const { return {}; }
  /// Not collective. The points held by a rank, of points and values. Throws InputError, or InternalError
  /// for other values.
  virtual std::shared_ptr<const points::LocalPoints> places(int /*ranks*/, int /*rank*/) const {
    throw core::InternalError("the value of an input has no points");
  }
  /// Not collective. Reads this rank's part of these components into the components of map `place` of `value`, which
  /// has the shape of the plan. Pixels without a value become NaN and are counted. Throws InputError.
  virtual BadPixels read(std::span<const Index> components, Value<float>& value, Index place) const = 0;
  virtual BadPixels read(std::span<const Index> components, Value<double>& value, Index place) const = 0;
};

/// An input of a job: a file, one file for each map, a file with a batch axis, or memory of the caller. Immutable.
/// Headers are read when it is created.
class Source {
 public:
  Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  virtual ~Source() = default;

  const Described& described() const { return described_; }
  /// The files that its description was read from, each with what was read as text.
  const std::vector<std::pair<core::SeenFile, std::string>>& seen() const { return seen_; }
  /// The map with index `item` in messages: the name of its file. 0 for an input without many maps.
  virtual std::string text(Index item) const = 0;
  /// Not collective. Opens a map, and checks that it matches the description. Throws InputError.
  virtual std::unique_ptr<SourceItem> open(Index item) const = 0;
  /// The value itself, to be borrowed; empty if it must be read, because it is in a file or of another precision.
  virtual Value<float> borrow(float) const { return {}; }
  virtual Value<double> borrow(double) const { return {}; }

 protected:
  Described described_;
  std::vector<std::pair<core::SeenFile, std::string>> seen_;
};

/// Whether maps on both grids are analysed alike: the same pixels, weights and kind of grid.
bool same_grid(const grid::RingGrid& a, const grid::RingGrid& b);

/// The sources of the inputs of a job by name, where they are not the files that the job names.
using Sources = std::map<std::string, std::shared_ptr<const Source>>;

/// Not collective. The files of an input whose items are expanded. With BadMapPolicy::kSkip, the description is that of
/// the first file of a pattern that can be read and that the job can use. Throws InputError with the place of the
/// input.
/// `memory_limit`: of the ranks of a node, as in ExecutionSpec.
std::shared_ptr<const Source> open_files(const InputSpec& input, BadMapPolicy policy,
                                         std::optional<Index> memory_limit = {});

/// Not collective. An input whose file does not exist yet, as the job describes it (InputSpec::expect). open() throws
/// InputError.
std::shared_ptr<const Source> expected_source(const InputSpec& input);

/// Not collective. The grid in a file of rings. Throws InputError.
std::shared_ptr<const grid::RingGrid> open_rings(const std::string& file);

/// Number of maps of the batch axis of a file; 0 if it has none, or cannot be read, which open_files() will report.
Index maps_in_file(const InputSpec& input);

}  // namespace armilla::job
