#pragma once

#include <armilla/api/alm.hpp>
#include <armilla/api/map.hpp>
#include <armilla/api/names.hpp>
#include <armilla/api/point_values.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

/// @file
/// Jobs: the steps of `armilla run`, on values in memory.

namespace armilla {

namespace api {
struct JobState;
struct ResultState;
}  // namespace api

/// Properties of an input of a Job that its memory does not show.
struct InputFacts {
  std::vector<std::string> units = {};  ///< of each component, or empty
  std::string coordsys = {};            ///< "G" (galactic), "E" (ecliptic), "C" (equatorial), or empty
};

/// Options of a Job.
struct JobOptions {
  /// Name of the job in messages. Relative paths in the job start from its folder: that of its file, or the current
  /// one.
  std::string file = "job";
  /// Total bytes of memory available to the ranks of a node; default: the environment variable ARMILLA_MEMORY_LIMIT, or
  /// what the system has available.
  std::optional<Index> memory_limit = {};
  /// Bytes per rank, of host and of GPU memory each, for transforms that are kept for further runs, of this job and of
  /// others on the same communicator; the last job that is prepared sets it. clear_cache() frees them.
  Index cache_bytes = Index{1} << 30;
  /// Called on rank 0 during run(), at most ten times per second, with the completed fraction of the job and what it
  /// does now. If it throws, run() throws that error: on one rank at once, on several at the end of the job.
  std::function<void(double fraction, const std::string& what)> progress = {};
  /// Words warnings; default: in the words of job files. Errors have the parts of their message (Error::context()).
  std::function<std::string(const core::ErrorContext& context)> word = {};
};

/// Forecast of a Job.
struct JobForecast {
  Index memory = 0;                        ///< peak resident bytes of this rank, including those of the process now
  std::string backend = {};                ///< "cpu" or "cuda"
  Index batch = 1;                         ///< number of maps that are processed together
  std::vector<std::string> warnings = {};  ///< about the job
};

/// The values that a run of a Job has left in memory. A moved-from object can only be assigned to or destroyed.
class JobResult {
 public:
  JobResult(JobResult&& other) noexcept;             ///< not collective
  JobResult& operator=(JobResult&& other) noexcept;  ///< not collective
  ~JobResult();

  /// Names of the values that have not been taken, in alphabetical order.
  std::vector<std::string> names() const;
  /// Type of a value, also after it was taken: "map", "alm", "points", "values", "spectra", "statistics" or "table".
  /// Throws InputError if there was none of that name.
  std::string type(const std::string& name) const;
  /// Precision of the values: that of the job.
  Precision precision() const;
  /// Moves a map out of the result. Not collective. Throws InputError if there is no value of that name, type and
  /// precision, which is that of the job: Map<double> for `precision: double`.
  template <class T = double>
  Map<T> take_map(const std::string& name);
  /// Like take_map(), for coefficients.
  template <class T = double>
  Alm<T> take_alm(const std::string& name);
  /// Like take_map(), for points and values at points.
  template <class T = double>
  PointValues<T> take_values(const std::string& name);
  /// Like take_map(), for spectra, one table for each map, and for tables of kernels. The same on all ranks.
  std::vector<SpectraTable> take_spectra(const std::string& name);

  /// Mean and covariance of the spectra of the maps of a campaign.
  struct Statistics {
    SpectraTable mean;  ///< over the maps that were not left out
    /// For each spectrum of `mean`: [l][l'], row by row; NaN for fewer than two maps.
    std::vector<std::vector<double>> covariance;
  };
  /// Like take_map(), for the result of a step `statistics`. The same on all ranks.
  Statistics take_statistics(const std::string& name);

  /// Units and coordinates of a value of the result, also after it was taken.
  InputFacts facts(const std::string& name) const;
  /// What steps have found, as JSON: `comparisons`, `analyses`, `leakage` and `zeroed`, with the keys of the reports of
  /// `armilla run` (docs/job_reference.md#report).
  std::string report() const;
  /// Warnings about the job and of the run on this rank.
  const std::vector<std::string>& warnings() const;
  /// Maps of a campaign that were left out (execution.on_bad_map: skip), each with the reason. Their values are NaN.
  const std::vector<std::string>& left_out() const;

 private:
  friend class Job;
  explicit JobResult(std::unique_ptr<api::ResultState> state);
  std::unique_ptr<api::ResultState> state_;
};

/// A job of `armilla run` (docs/job_reference.md) whose inputs and results are values in memory. The text names its
/// inputs; input() gives their values, in place of the files in the section `inputs`, whose other keys apply. Inputs
/// that are not given are files. Results that no step uses and no output writes are kept in memory, and those that
/// keep() names. Results may outlive the job. No journal, lock, report or checkpoint is written.
/// Jobs with many maps write no files.
///
/// Values of the caller are used without a copy if they have the precision of the job and one map. They are never
/// written, and must not change during run(). A map or alm of several maps makes the job a campaign, like files with a
/// batch axis.
class Job {
 public:
  /// Collective. `yaml`: the text of a job, the same on all ranks, which plan() or run() parse.
  Job(const Communicator& comm, const std::string& yaml, JobOptions options = {});
  Job(Job&& other) noexcept;             ///< not collective
  Job& operator=(Job&& other) noexcept;  ///< not collective
  ~Job();

  /// Gives the value of an input; adds the input if the job does not define it. The job keeps the memory alive, and
  /// reads it in run(). After a run, other values of the same description do not need new preparation. Not collective,
  /// but must be called on all ranks with their parts of one value. Throws InputError for units of another number than
  /// components.
  template <class T>
  void input(const std::string& name, const Map<T>& map, InputFacts facts = {});
  /// Coefficients.
  template <class T>
  void input(const std::string& name, const Alm<T>& alm, InputFacts facts = {});
  /// Points, or values at points.
  template <class T>
  void input(const std::string& name, const PointValues<T>& values, InputFacts facts = {});
  /// Spectra or functions of l, which are copied; the same on all ranks.
  void input(const std::string& name, const SpectraTable& spectra);
  /// The spectra of several maps, which make the job a campaign. Throws InputError if they differ in names, lmax or
  /// unit.
  void input(const std::string& name, const std::vector<SpectraTable>& spectra);
  /// A table of a radial kernel, which is copied: theta [rad] and K [1/sr]; the same on all ranks.
  void input_kernel(const std::string& name, std::vector<double> theta, std::vector<double> kernel);
  /// Keeps a value in memory although a step uses it or a file receives it; an input is copied. Not collective, but
  /// must be called on all ranks.
  void keep(const std::string& name);

  /// Collective. Parses and validates the job, and decides how it runs, if that is not done. Throws InputError, and
  /// ResourceError if memory is insufficient; the same on all ranks.
  JobForecast plan();
  /// Collective. Runs the job. Throws the same error on all ranks.
  JobResult run();

 private:
  std::unique_ptr<api::JobState> state_;
};

}  // namespace armilla
