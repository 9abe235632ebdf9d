#pragma once

#include <armilla/backend/options.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/types.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/grid/part.hpp>
#include <armilla/io/metadata.hpp>
#include <armilla/io/points.hpp>
#include <armilla/io/stated_header.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace armilla::job {

using core::Index;
using io::BadDataPolicy;
using io::Ordering;

/// Position in a job, for messages.
struct Place {
  std::string where;        ///< "job.yaml:12", or the --set option that added it
  std::string path;         ///< "steps[0].analysis", or a key in it: "steps[0].analysis.grid"
  std::size_t section = 0;  ///< length of the part of `path` that is a section of the job; 0: there is none
};

/// A file named in a job, or a list of files, with their paths resolved.
struct FileSpec {
  Place place;
  std::string path = {};
  std::vector<std::string> more = {};  ///< further entries of a list
};

/// Type of a value in a job.
enum class ValueSort { kMap, kAlm, kPoints, kValues, kSpectra, kStatistics, kTable };

/// "map", "alm", "points", "values", "spectra", "statistics" or "table".
const char* sort_name(ValueSort sort);

/// Whether it is a catalogue of points, with or without values.
inline bool has_points(ValueSort sort) { return sort == ValueSort::kPoints || sort == ValueSort::kValues; }

/// Fields of an input or a new alm: names, a spin, or neither (those of the file).
struct FieldsSpec {
  std::vector<std::string> names;
  std::vector<Index> spins;  ///< per name; transform::FieldKind::kByName if the name determines it
  std::optional<Index> spin;
  bool given() const { return !names.empty() || spin.has_value(); }
};

/// Whether the mean over the good pixels is subtracted from the scalar components of a map on reading.
enum class Monopole { kKeep, kRemove };

/// Treatment of maps whose last longitude repeats the first: rejected, read without it, or read as they are.
enum class RepeatedLongitude { kError, kDrop, kKeep };

/// Convention of coefficients in a file as given in a job. Unset members: that of the file, or Armilla's own.
struct ConventionSpec {
  Place place;
  std::optional<alm::Norm> norm;
  std::optional<alm::Phase> phase;
  std::optional<alm::Basis> basis;
  /// With Armilla's own convention for members that are not set.
  alm::Convention or_default() const;
};

/// The maps of an input with a pattern, or of a file with a batch axis.
struct InputItems {
  std::vector<std::string> files = {};   ///< of a pattern, [map][entry of a list]; empty for a batch axis
  std::vector<std::string> labels = {};  ///< one per map; empty for a shared input
  bool empty() const { return labels.empty(); }
};

/// Contents of the columns of a file of spectra: C_l, or l (l + 1) / (2 pi) C_l.
enum class SpectrumKind { kDl, kCl };

struct GridSpec {
  Place place;
  grid::GridDescription description;
  grid::RingSelection selection = {};  ///< rings selected from it
  std::string value = {};              ///< name of a map whose grid it is; empty: that of the description
};

/// Description of an input whose file does not exist yet, for forecasts.
struct ExpectSpec {
  std::optional<GridSpec> grid;      ///< of a map
  std::optional<Index> lmax, mmax;   ///< of an alm; lmax also of spectra
  std::optional<Index> points;       ///< number of points of a catalogue
  std::optional<Index> maps;         ///< number of maps of a batch axis
  FieldsSpec fields;                 ///< of a map, an alm or values; default: T
  std::vector<std::string> columns;  ///< of spectra
  std::vector<std::string> units;    ///< of the components, or the unit of spectra
  std::string coordsys;              ///< G, E, C, or empty
};

struct InputSpec {
  Place place;
  std::string name;
  ValueSort sort = ValueSort::kMap;
  std::string file = {};  ///< a file name or a pattern; empty for a value of the caller
  /// Further entries of a list, each a file name or a pattern. The components of a map or an alm are those of all of
  /// its files, in order.
  std::vector<std::string> more_files = {};
  InputItems items = {};  ///< filled in by expand_inputs()
  FieldsSpec fields = {};
  io::BadDataPolicy bad_data = io::BadDataPolicy::kError;
  std::string good_pixels = {};  ///< name of the mask derived from bad pixels; empty: none
  Monopole monopole = Monopole::kKeep;
  RepeatedLongitude repeated_longitude = RepeatedLongitude::kError;  ///< map
  std::optional<Index> lmax = {}, mmax = {};                         ///< alm: truncated to these
  ConventionSpec convention = {};                                    ///< alm
  io::PointColumns places = {};                                      ///< points and values
  io::StatedHeader header = {};                                      ///< maps, points and values
  std::vector<std::string> columns = {};  ///< maps: of the components; spectra: all; empty: by their names
  std::optional<io::Stated<std::vector<std::string>>> units = {};  ///< maps and values: per component, or one for all
  std::optional<SpectrumKind> spectrum_kind = {};                  ///< spectra
  bool is_of_step = false;                                         ///< named by a step, not by the section `inputs`
  std::optional<ExpectSpec> expect = {};                           ///< what its file will be

  /// The entries of its list: one, or several whose components are joined.
  std::vector<std::string> entries() const;
  /// The files of the map with this index, one per entry.
  std::vector<std::string> files_of(Index item) const;
};

/// What a key of a step names: a value of the job, or a file, which becomes an input of its own.
struct Reference {
  Place place = {};
  std::string name = {};  ///< of the value
  std::string text = {};  ///< as written
  std::string path = {};  ///< the file of that name, whether or not it exists
  bool is_file = false;
};

class Operation;

struct StepSpec {
  Place place;
  std::string name;  ///< of the operation, as in the job
  std::shared_ptr<const Operation> operation;
};

struct OutputSpec {
  Place place;
  std::string name;
  std::string file;
  core::Precision precision = core::Precision::kDouble;
  io::Ordering ordering = io::Ordering::kRing;
  ConventionSpec convention;  ///< alm
  std::string units = {};     ///< of the numbers in the file; empty: those of the value
};

/// Policy for maps of a campaign that cannot be used.
enum class BadMapPolicy { kStop, kSkip };

/// Number of maps of a campaign that a run may leave out (`on_bad_map: {skip: {at_most: 1%}}`).
struct BadMapLimit {
  double number = 0;        ///< of maps, or percentage of all maps of the campaign
  bool is_percent = false;  ///< whether `number` is a percentage
  Place place = {};
  std::string text = {};  ///< as written in the job
  /// Whether `left_out` of `maps` exceeds the limit.
  bool is_exceeded(Index left_out, Index maps) const;
};

/// Policy for outputs with values that are not finite. kError rejects them (a map of a campaign is a bad map); kWarn
/// writes them with a warning.
enum class NonfinitePolicy { kError, kWarn };

/// A part of the maps of a campaign: block `number`, counted from 1, of `of` blocks of consecutive maps. Block sizes
/// differ by at most one.
struct CampaignPart {
  Index number = 1;
  Index of = 1;
  bool is_all() const { return of == 1; }
  /// The first map of the block, and its end, for `maps` maps.
  Index first(Index maps) const { return maps * (number - 1) / of; }
  Index end(Index maps) const { return maps * number / of; }
};

struct ExecutionSpec {
  Place place;
  backend::Kind backend = backend::Kind::kAuto;
  backend::Options options = {};
  core::Precision precision = core::Precision::kDouble;
  int threads = 0;                  ///< per rank; 0: from the environment
  std::optional<Index> batch;       ///< maps of a campaign transformed together; unset: chosen
  std::optional<Index> map_groups;  ///< groups of ranks that share the maps of a campaign; unset: chosen
  BadMapPolicy on_bad_map = BadMapPolicy::kStop;
  std::optional<BadMapLimit> bad_map_limit = {};  ///< for kSkip; unset: unlimited
  NonfinitePolicy on_nonfinite = NonfinitePolicy::kError;
  /// Total bytes available to the ranks of a node. It is an option of the run, not a job key. Unset: the value of the
  /// system.
  std::optional<Index> memory_limit;
  double checkpoint_minutes = 10;  ///< interval of solver checkpoints; 0: only when the run is stopped
  bool restart = false;            ///< recompute results of earlier runs; an option of the run, not a job key
  /// What continues this run, for messages.
  const char* same_command() const { return restart ? "the same command without --restart" : "the same command"; }
  CampaignPart part = {};  ///< of a campaign; an option of the run, not a job key
  /// Indices of the maps of a campaign that the run processes, in ascending order; an option of the run. Unset: all
  /// maps of the part.
  std::optional<std::vector<Index>> items = {};
};

/// Words the message of an error or a warning about a place in a job.
using Wording = std::function<std::string(const core::ErrorContext& context)>;

/// The words of job files.
inline std::string job_wording(const core::ErrorContext& context) { return core::sentence(context); }

/// A job as written, with all defaults and resolved paths, not yet validated against files.
struct JobSpec {
  std::string file;
  std::vector<InputSpec> inputs;
  std::vector<StepSpec> steps;
  std::vector<OutputSpec> outputs;
  ExecutionSpec execution;
  std::string written = {};      ///< the job as written, with --set applied, as JSON
  std::string output_dir = {};   ///< of the run: base folder of relative output paths; empty: that of the job file
  bool allows_expected = false;  ///< for forecasts: files that do not exist are as the job expects
  /// Values that the caller takes from memory after the run, in addition to the results that nothing uses. Unset: none
  /// is kept.
  std::optional<std::vector<std::string>> keep = {};
  std::vector<Reference> references = {};  ///< of keys that name a value, but could name a file
  Wording word = job_wording;              ///< of warnings
};

}  // namespace armilla::job
