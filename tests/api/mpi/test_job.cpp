#include <armilla/api/access.hpp>
#include <armilla/armilla.hpp>
#include <armilla/io/points.hpp>
#include <armilla/io/read.hpp>
#include <armilla/job/parse/operation_kind.hpp>
#include <armilla/job/run_job.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "support/mpi_main.hpp"
#include "support/scratch_folder.hpp"
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace armilla {
namespace {

namespace fs = std::filesystem;

/// A folder that all ranks share; the tests make no other file.
class SharedFolder {
 public:
  explicit SharedFolder(const Communicator& comm) : comm_(comm) {
    if (comm.is_root()) own_.emplace();
    path_ = comm.broadcast(own_ ? own_->path().string() : std::string());
  }
  ~SharedFolder() { comm_.barrier(); }
  std::string operator()(const std::string& file) const { return path_ + "/" + file; }

 private:
  const Communicator& comm_;
  std::optional<test::ScratchFolder> own_;
  std::string path_;
};

/// Numbers that depend on the place in the sky and the index of the component only.
double wave(double theta, double phi, Index component) {
  return std::cos(3 * theta + 0.3 * static_cast<double>(component)) + 0.4 * std::sin(2 * phi + theta);
}

Map<double> map_of(const Communicator& comm, const FieldKind& fields, Index maps = 1) {
  Transform t(comm, {.grid = make_healpix(8), .lmax = 8, .fields = fields, .maps = maps});
  Map<double> map = t.make_map();
  for (Index k = 0; k < maps; ++k)
    for (Index c = 0; c < fields.components(); ++c)
      for (const LocalRing& ring : map.rings()) {
        const auto pixels = map.of_ring(ring, c, k);
        for (std::size_t j = 0; j < pixels.size(); ++j)
          pixels[j] = wave(ring.ring.theta, ring.phi(static_cast<Index>(j)), c + 5 * k);
      }
  return map;
}

Alm<double> alm_of(const Communicator& comm, const FieldKind& fields, Index maps = 1, double factor = 1) {
  constexpr Index kLmax = 12;
  Transform t(comm, {.grid = make_gauss(kLmax + 1, 2 * kLmax + 2), .lmax = kLmax, .fields = fields, .maps = maps});
  Alm<double> alm = t.make_alm();
  SpectraTable flat{kLmax, {}, {}, ""};
  for (const std::string& name : fields.alm_names()) {
    flat.names.push_back(alm::spectrum_name(name, name));
    flat.columns.emplace_back(core::at(kLmax + 1), factor);
  }
  random_alm(alm, flat, 3);
  return alm;
}

PointValues<double> points_of(const Communicator& comm, const FieldKind& fields) {
  // As many as a file of 200 points gives to each rank.
  const Index first = 200 * comm.rank() / comm.size(), end = 200 * (comm.rank() + 1) / comm.size();
  std::vector<double> theta, phi;
  for (Index i = first; i < end; ++i) {
    theta.push_back(std::acos(1 - (2 * static_cast<double>(i) + 1) / 200));
    phi.push_back(std::fmod(2.4 * static_cast<double>(i), 6.28));
  }
  PointValues<double> values(comm, theta, phi, fields);
  const std::size_t count = theta.size();
  for (std::size_t i = 0; i < values.data().size(); ++i)
    values.data()[i] = wave(theta[i % count], phi[i % count], static_cast<Index>(i / count));
  return values;
}

/// The inputs of the cases below by name: how they are given to a job, and how they are written and read as files.
class Inputs {
 public:
  explicit Inputs(const Communicator& comm)
      : comm_(comm),
        sky_(map_of(comm, FieldKind::scalar())),
        qu_(map_of(comm, FieldKind::polarisation())),
        mask_(map_of(comm, FieldKind::scalar("MASK"))),
        alm_(alm_of(comm, FieldKind::scalar())),
        other_(alm_of(comm, FieldKind::scalar(), 1, 0.5)),
        phi_(alm_of(comm, FieldKind::scalar(), 1, 1e-6)),
        wind_(alm_of(comm, FieldKind::wind())),
        vectors_(map_of(comm, FieldKind::vector())),
        skies_(alm_of(comm, FieldKind::scalar(), 3)),
        points_(points_of(comm, FieldKind())),
        values_(points_of(comm, FieldKind::scalar())),
        spectra_{12, {"TT"}, {std::vector<double>(13, 2.0)}, "K^2"} {
    for (double& pixel : mask_.data()) pixel = pixel > -0.5 ? 1 : 0;
    for (double& pixel : vectors_.data()) pixel *= 1e-3;
    for (std::size_t l = 0; l < 13; ++l) spectra_.columns[0][l] = 1.0 / static_cast<double>(l + 1);
  }

  void give(Job& job, const std::string& name) const {
    if (name == "sky") job.input(name, sky_, {.units = {"K"}});
    if (name == "qu") job.input(name, qu_);
    if (name == "mask") job.input(name, mask_);
    if (name == "alm") job.input(name, alm_, {.units = {"K"}, .coordsys = "G"});
    if (name == "other") job.input(name, other_, {.units = {"K"}, .coordsys = "G"});
    if (name == "phi") job.input(name, phi_);
    if (name == "wind") job.input(name, wind_);
    if (name == "vectors") job.input(name, vectors_);
    if (name == "skies") job.input(name, skies_);
    if (name == "points") job.input(name, points_);
    if (name == "values") job.input(name, values_);
    if (name == "cl") job.input(name, spectra_);
    if (name == "beam") job.input_kernel(name, {0.0, 0.2, 0.4}, {3.0, 1.0, 0.0});
  }

  /// The section of the input, whose file is written.
  std::string write(const std::string& name, const SharedFolder& folder) const {
    const std::string file = folder(name + (name == "beam" ? ".txt" : ".h5"));
    std::string sort = "map";
    if (name == "sky") armilla::write(file, sky_, {.units = {"K"}});
    if (name == "qu") armilla::write(file, qu_);
    if (name == "mask") armilla::write(file, mask_);
    if (name == "vectors") armilla::write(file, vectors_);
    for (const auto& [other, alm] : {std::pair("alm", &alm_), {"other", &other_}, {"phi", &phi_}, {"wind", &wind_}})
      if (name == other) {
        armilla::write(
            file, *alm,
            name == "alm" || name == "other" ? WriteOptions{.units = {"K"}, .coordsys = "G"} : WriteOptions());
        sort = "alm";
      }
    if (name == "skies") {
      for (Index map = 0; map < 3; ++map) armilla::write(folder(fmt::format("skies_{}.h5", map)), skies_, {.map = map});
      return fmt::format("skies: {{alm: '{}'}}", folder("skies_{0..2}.h5"));
    }
    if (name == "points" || name == "values") {
      const PointValues<double>& values = name == "points" ? points_ : values_;
      io::write_points<double>(comm_, file, {values.fields().map_names(), {}, "", ""}, values.theta(), values.phi(),
                               values.data(), {});
      sort = name;
    }
    if (name == "cl") {
      armilla::write(comm_, file, spectra_);
      sort = "spectra";
    }
    if (name == "beam") {
      io::write_text(comm_, file, "0 3\n0.2 1\n0.4 0\n");
      sort = "table";
    }
    return fmt::format("{}: {{{}: '{}'}}", name, sort, file);
  }

 private:
  const Communicator& comm_;
  Map<double> sky_, qu_, mask_;
  Alm<double> alm_, other_, phi_, wind_;
  Map<double> vectors_;
  Alm<double> skies_;
  PointValues<double> points_, values_;
  SpectraTable spectra_;
};

enum class Sort { kMap, kAlm, kValues, kSpectra, kAlms, kStatistics };

struct StepCase {
  std::string step;
  std::vector<std::string> inputs;
  std::string steps;  ///< of the job, YAML
  std::vector<std::pair<std::string, Sort>> results = {{"out", Sort::kMap}};
};

const std::vector<StepCase>& cases() {
  static const std::vector<std::pair<std::string, Sort>> alm{{"out", Sort::kAlm}}, values{{"out", Sort::kValues}},
      spectra{{"out", Sort::kSpectra}};
  static const std::vector<StepCase> all{
      {"random_alm", {"cl"}, "[{random_alm: {spectrum: cl, fields: [T], lmax: 10, seed: 5, out: out}}]", alm},
      {"synthesis", {"alm"}, "[{synthesis: {alm: alm, grid: healpix:4, out: out}}]"},
      {"analysis", {"sky"}, "[{analysis: {map: sky, lmax: 9, method: {jacobi: 2}, out: out}}]", alm},
      {"analysis",
       {"sky", "mask", "cl"},
       "[{analysis: {map: sky, lmax: 6, method: {cg: {mask: mask, regularise: {spectrum: cl}}}, out: out}}]",
       alm},
      {"analysis",
       {"sky", "mask", "alm"},
       "[{spectra: {alm: alm, out: prior}}, {analysis: {map: sky, lmax: 6, method: {lsmr: {mask: mask, regularise: "
       "{spectrum: prior}}}, out: out}}]",
       alm},
      {"adjoint_synthesis", {"sky"}, "[{adjoint_synthesis: {map: sky, lmax: 9, out: out}}]", alm},
      {"adjoint_analysis", {"alm"}, "[{adjoint_analysis: {alm: alm, grid: gauss:14, out: out}}]"},
      {"gradient", {"alm"}, "[{gradient: {alm: alm, grid: healpix:4, out: out}}]"},
      {"adjoint_gradient", {"vectors"}, "[{adjoint_gradient: {map: vectors, lmax: 8, out: out}}]", alm},
      {"synthesis_at", {"alm", "points"}, "[{synthesis_at: {alm: alm, points: points, out: out}}]", values},
      {"adjoint_synthesis_at", {"values"}, "[{adjoint_synthesis_at: {values: values, lmax: 8, out: out}}]", alm},
      {"analysis_at", {"values"}, "[{analysis_at: {values: values, lmax: 8, out: out}}]", alm},
      {"gradient_at", {"alm", "points"}, "[{gradient_at: {alm: alm, points: points, out: out}}]", values},
      {"lens", {"alm", "phi"}, "[{lens: {alm: alm, potential: phi, grid: healpix:4, out: out}}]"},
      {"pointing", {"vectors"}, "[{pointing: {map: vectors, out: out}}]"},
      {"lens_adjoint", {"sky", "phi"}, "[{lens_adjoint: {map: sky, potential: phi, lmax: 8, out: out}}]", alm},
      {"inverse_deflection", {"phi"}, "[{inverse_deflection: {potential: phi, lmax: 8, out: out}}]", alm},
      {"convert_vector", {"wind"}, "[{convert_vector: {alm: wind, to: vorticity_divergence, out: out}}]", alm},
      {"regrid", {"sky"}, "[{regrid: {map: sky, grid: gauss:12, out: out}}]"},
      {"smooth", {"alm"}, "[{smooth: {alm: alm, fwhm_arcmin: 600, out: out}}]", alm},
      {"multiply", {"alm", "cl"}, "[{multiply: {alm: alm, by: {window: cl}, out: out}}]", alm},
      {"convolve", {"sky", "beam"}, "[{convolve: {map: sky, kernel: {table: {file: beam}}, out: out}}]"},
      {"convolve", {"sky", "cl"}, "[{convolve: {map: sky, kernel: {beam: {file: cl}}, method: harmonic, out: out}}]"},
      {"reconstruct",
       {"sky"},
       "[{reconstruct: {kernels: [{map: sky, needlet: {scale: 1}}], grid: healpix:4, out: out}}]"},
      {"scale", {"alm"}, "[{scale: {alm: alm, factor: 2.5, out: out}}]", alm},
      {"add", {"alm", "other"}, "[{add: {alm: alm, with: other, factors: [1, -1], out: out}}]", alm},
      {"resize", {"alm"}, "[{resize: {alm: alm, lmax: 7, out: out}}]", alm},
      {"rotate", {"alm"}, "[{rotate: {alm: alm, from: galactic, to: equatorial, out: out}}]", alm},
      {"mask", {"sky", "mask"}, "[{mask: {map: sky, mask: mask, out: out}}]"},
      {"select", {"wind"}, "[{select: {alm: wind, fields: [E_U, B_V], out: out}}]", alm},
      {"leakage",
       {"qu", "mask"},
       "[{leakage: {map: qu, mask: mask, lmax: 8, b_map: raw, template: leaked, out: out}}]",
       {{"raw", Sort::kMap}, {"leaked", Sort::kMap}, {"out", Sort::kMap}}},
      {"spectra", {"alm", "other"}, "[{spectra: {alm: alm, with: other, out: out}}]", spectra},
      {"decouple", {"cl", "mask"}, "[{decouple: {spectra: cl, mask: mask, bin: 4, out: out}}]", spectra},
      {"statistics",
       {"skies"},
       "[{smooth: {alm: skies, fwhm_arcmin: 300, out: out}}, {spectra: {alm: out, out: cls}}, {statistics: {spectra: "
       "cls, out: mean}}]",
       {{"out", Sort::kAlms}, {"mean", Sort::kStatistics}}},
      {"compare", {"alm", "other"}, "[{compare: {alm: alm, reference: other}}]", {}},
  };
  return all;
}

std::string yaml_of(const StepCase& one, const std::string& inputs, const std::string& outputs) {
  return fmt::format("version: 1\ninputs: {{{}}}\nsteps: {}\noutputs: {{{}}}\nexecution: {{backend: cpu}}\n", inputs,
                     one.steps, outputs);
}

/// The files of the same job, by name of the result.
std::map<std::string, std::string> run_with_files(const Communicator& comm, const StepCase& one, const Inputs& inputs,
                                                  const SharedFolder& folder) {
  std::string sections, outputs;
  for (const std::string& name : one.inputs) sections += (sections.empty() ? "" : ", ") + inputs.write(name, folder);
  std::map<std::string, std::string> files;
  for (const auto& [name, sort] : one.results) {
    files[name] = folder(name + (sort == Sort::kAlms ? "_{}.h5" : ".h5"));
    outputs += fmt::format("{}{}: {{file: '{}'}}", outputs.empty() ? "" : ", ", name, files[name]);
  }
  const std::string text = yaml_of(one, sections, outputs);
  job::RunOptions quiet;
  quiet.verbosity = job::Verbosity::kQuiet;
  job::run_job(comm, job::JobSource("job", [&] { return text; }), quiet);
  return files;
}

template <class Field>
void expect_in_file(const Field& field, const std::string& file, Index map = 0) {
  Field stored = api::Access::make<Field>(
      std::make_shared<const Communicator>(api::Access::comm(field)), field.fields(),
      std::make_shared<std::decay_t<decltype(field.distribution())>>(field.distribution()), Index{1});
  read(file, stored);
  const std::size_t size = stored.data().size();
  EXPECT_TRUE(std::ranges::equal(stored.data(), field.data().subspan(core::at(map) * size, size))) << file;
}

void expect_as_in_files(const Communicator& comm, const StepCase& one, JobResult& result,
                        const std::map<std::string, std::string>& files) {
  for (const auto& [name, sort] : one.results) {
    const std::string& file = files.at(name);
    if (sort == Sort::kMap) expect_in_file(result.take_map(name), file);
    if (sort == Sort::kAlm) expect_in_file(result.take_alm(name), file);
    if (sort == Sort::kAlms) {
      const Alm<double> alm = result.take_alm(name);
      ASSERT_EQ(alm.maps(), 3);
      for (Index map = 0; map < 3; ++map)
        expect_in_file(alm, file.substr(0, file.size() - 5) + fmt::format("{}.h5", map), map);
    }
    if (sort == Sort::kValues) {
      const PointValues<double> values = result.take_values(name);
      const io::PointsInfo info = io::open_points(file);
      std::vector<double> stored(values.theta().size());
      const Index first = 200 * comm.rank() / comm.size();
      for (Index c = 0; c < values.fields().components(); ++c) {
        io::read_values<double>(info, c, first, stored);
        EXPECT_TRUE(std::ranges::equal(stored, values.data().subspan(core::at(c) * stored.size(), stored.size())));
      }
    }
    if (sort == Sort::kSpectra) {
      EXPECT_EQ(result.take_spectra(name).at(0).columns, io::read_spectra(file, false).columns);
    }
    if (sort == Sort::kStatistics) {
      EXPECT_EQ(result.take_statistics(name).mean.columns, io::read_spectra(file, false).columns);
    }
  }
}

TEST(Job, EveryStepRunsOnValuesInMemoryAsOnFiles) {
  const auto world = Communicator::world();
  const Inputs inputs(world);
  std::set<std::string> seen;
  for (const StepCase& one : cases()) {
    SCOPED_TRACE(one.step);
    seen.insert(one.step);
    const SharedFolder folder(world);
    Job job(world, yaml_of(one, "", ""));
    for (const std::string& name : one.inputs) inputs.give(job, name);
    for (const auto& [name, sort] : one.results) job.keep(name);
    JobResult result = job.run();
    ASSERT_TRUE(fs::is_empty(fs::path(folder("x")).parent_path()));
    world.barrier();
    const auto files = run_with_files(world, one, inputs, folder);
    expect_as_in_files(world, one, result, files);
  }
  for (const job::OperationKind& kind : job::operation_kinds()) EXPECT_TRUE(seen.contains(kind.name)) << kind.name;
}

}  // namespace
}  // namespace armilla
