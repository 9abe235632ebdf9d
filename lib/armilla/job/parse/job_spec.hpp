#pragma once

#include <armilla/backend/options.hpp>
#include <armilla/core/types.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/grid/part.hpp>
#include <armilla/io/metadata.hpp>
#include <armilla/io/points.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace armilla::job {

using core::Index;

/// Position in a job, for messages.
struct Place {
  std::string where;  ///< "job.yaml:12", or the --set option that put it there
  std::string path;   ///< "steps[0].analysis"
};

/// A file that a job names, its path resolved.
struct FileSpec {
  Place place;
  std::string path;
};

/// Type of a value in a job.
enum class ValueSort { kMap, kAlm, kPoints, kValues, kSpectra, kStatistics };

/// "map", "alm", "points", "values", "spectra" or "statistics".
const char* sort_name(ValueSort sort);

/// Whether it is a catalogue of points, with or without values.
inline bool has_points(ValueSort sort) { return sort == ValueSort::kPoints || sort == ValueSort::kValues; }

/// Fields of an input or a new alm: by names, as one spin, or neither (those of the file).
struct FieldsSpec {
  std::vector<std::string> names;
  std::vector<Index> spins;  ///< per name, transform::FieldKind::kByName where the name says it
  std::optional<Index> spin;
  bool given() const { return !names.empty() || spin.has_value(); }
};

/// Whether the mean over the good pixels is subtracted from the scalar components of a map on reading.
enum class Monopole { kKeep, kRemove };

/// Convention of coefficients in a file as given in a job; nothing: that of the file, or Armilla's own.
struct ConventionSpec {
  Place place;
  std::optional<alm::Norm> norm;
  std::optional<alm::Phase> phase;
  std::optional<alm::Basis> basis;
  /// With Armilla's own convention for members that are not set.
  alm::Convention or_default() const;
};

/// Description of a catalogue of points in a job; nothing: that of the file.
struct CatalogueSpec {
  io::PointColumns columns;
  std::string coordsys;  ///< G, E, C
  std::string polcconv;  ///< COSMO, IAU
};

/// The maps that an input with a pattern, or a file with a batch axis, stands for.
struct InputItems {
  std::vector<std::string> files;   ///< of a pattern; none for a batch axis
  std::vector<std::string> labels;  ///< one per map; none for a shared input
  bool empty() const { return labels.empty(); }
};

struct InputSpec {
  Place place;
  std::string name;
  ValueSort sort = ValueSort::kMap;
  std::string file;       ///< or pattern
  InputItems items = {};  ///< filled in by expand_inputs()
  FieldsSpec fields;
  io::BadDataPolicy bad_data = io::BadDataPolicy::kError;
  std::string good_pixels = {};  ///< name of the mask that bad pixels become; empty: none
  Monopole monopole = Monopole::kKeep;
  std::optional<Index> lmax, mmax;  ///< alm: cut at these
  ConventionSpec convention;        ///< alm
  CatalogueSpec catalogue = {};     ///< points and values
};

struct GridSpec {
  Place place;
  grid::GridDescription description;
  grid::RingSelection selection = {};  ///< which rings of it
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
};

/// Policy for maps of a campaign that cannot be used.
enum class BadMapPolicy { kStop, kSkip };

/// Number of maps of a campaign that a run may leave out (`on_bad_map: {skip: {at_most: 1%}}`).
struct BadMapLimit {
  double number = 0;        ///< of maps, or per cent of all maps of the campaign
  bool is_percent = false;  ///< which of the two
  Place place = {};
  std::string text = {};  ///< as the job has it
  /// Whether `left_out` of `maps` exceed the limit.
  bool is_exceeded(Index left_out, Index maps) const;
};

/// Policy for outputs with values that are not finite: kError refuses them (a map of a campaign is a bad map), kWarn
/// writes them with a warning.
enum class NonfinitePolicy { kError, kWarn };

/// A share of the maps of a campaign: block number `number`, counted from 1, of `of` blocks of consecutive maps, whose
/// sizes differ by one at most.
struct CampaignPart {
  Index number = 1;
  Index of = 1;
  bool is_all() const { return of == 1; }
  /// The first map of the block, and the first behind it, of `maps`.
  Index first(Index maps) const { return maps * (number - 1) / of; }
  Index end(Index maps) const { return maps * number / of; }
};

struct ExecutionSpec {
  Place place;
  backend::Kind backend = backend::Kind::kAuto;
  backend::Options options = {};
  core::Precision precision = core::Precision::kDouble;
  int threads = 0;                  ///< per rank; 0: from the environment
  std::optional<Index> batch;       ///< maps of a campaign that are transformed together; nothing: chosen
  std::optional<Index> map_groups;  ///< groups of ranks that share the maps of a campaign; nothing: chosen
  BadMapPolicy on_bad_map = BadMapPolicy::kStop;
  std::optional<BadMapLimit> bad_map_limit = {};  ///< of kSkip; nothing: any number
  NonfinitePolicy on_nonfinite = NonfinitePolicy::kError;
  /// Bytes that the ranks of a node may take in all: of the run, no key of the job. Nothing: as the system says.
  std::optional<Index> memory_limit;
  double checkpoint_minutes = 10;  ///< between two checkpoints of a solver; 0: only where the run is stopped
  bool restart = false;            ///< compute again what earlier runs did: of the run, no key of the job
  CampaignPart part = {};          ///< of a campaign: of the run, no key of the job
  /// Numbers of the maps of a campaign that the run takes, ascending: of the run. Nothing: all of the part.
  std::optional<std::vector<Index>> items = {};
};

/// A job as written, with all defaults and resolved paths, not yet checked against files.
struct JobSpec {
  std::string file;
  std::vector<InputSpec> inputs;
  std::vector<StepSpec> steps;
  std::vector<OutputSpec> outputs;
  ExecutionSpec execution;
  std::string written = {};     ///< the job as written, with what --set replaced, as JSON
  std::string output_dir = {};  ///< of the run: relative paths of outputs are below it; empty: that of the job file
};

}  // namespace armilla::job
