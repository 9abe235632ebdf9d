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

/// Where in a job something stands, for messages.
struct Place {
  std::string where;  ///< "job.yaml:12", or the --set option that put it there
  std::string path;   ///< "steps[0].analysis"
};

/// A file that a job names, its path resolved.
struct FileSpec {
  Place place;
  std::string path;
};

/// What a name in a job stands for.
enum class ValueSort { kMap, kAlm, kPoints, kValues, kSpectra, kStatistics };

/// "map", "alm", "points", "values", "spectra" or "statistics".
const char* sort_name(ValueSort sort);

/// Whether it stands for the points of a catalogue, alone or with values at them.
inline bool has_points(ValueSort sort) { return sort == ValueSort::kPoints || sort == ValueSort::kValues; }

/// Which fields an input or a new alm holds: by names, as one spin, or neither (what the file says).
struct FieldsSpec {
  std::vector<std::string> names;
  std::vector<Index> spins;  ///< per name, transform::FieldKind::kByName where the name says it
  std::optional<Index> spin;
  bool given() const { return !names.empty() || spin.has_value(); }
};

/// Whether the mean over the good pixels is taken off the scalar components of a map that is read.
enum class Monopole { kKeep, kRemove };

/// What a job says about the convention of coefficients in a file; nothing: what the file says, or Armilla's own.
struct ConventionSpec {
  Place place;
  std::optional<alm::Norm> norm;
  std::optional<alm::Phase> phase;
  std::optional<alm::Basis> basis;
  /// With Armilla's own in place of what is not said.
  alm::Convention or_default() const;
};

/// What a job says about a catalogue of points; nothing: what the file says.
struct CatalogueSpec {
  io::PointColumns columns;
  std::string coordsys;  ///< G, E, C
  std::string polcconv;  ///< COSMO, IAU
};

/// The maps that an input with a pattern, or a file with a batch axis, stands for.
struct InputItems {
  std::vector<std::string> files;   ///< of a pattern; none for a batch axis
  std::vector<std::string> labels;  ///< as many as maps; none for an input that is one for all
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

/// What happens to a run when one of many maps cannot be used.
enum class BadMapPolicy { kStop, kSkip };

/// How many maps of a campaign a run may leave out (`on_bad_map: {skip: {at_most: 1%}}`).
struct BadMapLimit {
  double number = 0;        ///< of maps, or per cent of all maps of the campaign
  bool is_percent = false;  ///< which of the two
  Place place = {};
  std::string text = {};  ///< as the job has it
  /// Whether `left_out` of `maps` are too many.
  bool is_exceeded(Index left_out, Index maps) const;
};

/// What happens where an output has numbers that are not finite: kError refuses it (a map of a campaign is a bad map),
/// kWarn writes it with a warning.
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
  int threads = 0;                  ///< per rank; 0: as the environment says
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

/// A job as written, with all defaults filled in and all paths resolved; nothing in it was checked against files yet.
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
