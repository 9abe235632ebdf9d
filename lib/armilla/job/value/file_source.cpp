#include <armilla/core/error.hpp>
#include <armilla/grid/last_longitude.hpp>
#include <armilla/io/file_kinds.hpp>
#include <armilla/io/fits_contents.hpp>
#include <armilla/io/joined_files.hpp>
#include <armilla/io/kernel_table.hpp>
#include <armilla/io/points.hpp>
#include <armilla/io/read.hpp>
#include <armilla/job/parse/refuse.hpp>
#include <armilla/job/value/check_like.hpp>
#include <armilla/job/value/dropped_longitude.hpp>
#include <armilla/job/value/input_value.hpp>
#include <armilla/job/value/polarisation_signs.hpp>
#include <armilla/job/value/typed_item.hpp>

#include <type_traits>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::job {

namespace {

using FileInfo = std::variant<io::MapInfo, io::AlmInfo, io::PointsInfo, TableInfo>;

TableInfo open_table(const InputSpec& input, const std::string& file) {
  TableInfo info{file, core::state_of(file), {}};
  alm::SpectraTable table;
  if (input.sort == ValueSort::kTable) {
    io::KernelTable kernel = io::read_kernel_table(file);
    table.lmax = static_cast<Index>(kernel.theta.size()) - 1;
    table.names = {"theta", "kernel"};
    table.columns = {std::move(kernel.theta), std::move(kernel.values)};
  } else {
    table = io::read_spectra(file, input.spectrum_kind == SpectrumKind::kDl, input.columns);
  }
  info.table = std::make_shared<const alm::SpectraTable>(std::move(table));
  core::check_unchanged(file, info.seen);
  return info;
}

/// Opens the files of a map or of coefficients, one for each entry of a list.
template <class Info>
Info open_joined(const std::vector<std::string>& files, Info (*join)(std::vector<Info>), const auto& open) {
  if (files.size() == 1) return open(files.front());
  std::vector<Info> parts;
  for (const std::string& file : files) parts.push_back(open(file));
  return join(std::move(parts));
}

FileInfo open_file(const InputSpec& input, const std::vector<std::string>& files) {
  const std::string& file = files.front();
  const bool has_batch_axis = !input.items.empty() && input.items.files.empty();
  const io::BatchPolicy policy = has_batch_axis ? io::BatchPolicy::kTake : io::BatchPolicy::kRefuse;
  switch (input.sort) {
    case ValueSort::kMap:
      return open_joined<io::MapInfo>(files, io::join_maps,
                                      [&](const std::string& one) { return io::open_map(one, policy, input.header); });
    case ValueSort::kAlm:
      return open_joined<io::AlmInfo>(
          files, io::join_alm, [&](const std::string& one) { return io::open_alm(one, policy, input.header.hdu); });
    case ValueSort::kPoints:
    case ValueSort::kValues:
      return io::open_points(file, input.places);
    default:
      return open_table(input, file);
  }
}

std::string first_line(const io::MapInfo& info) {
  return fmt::format("map on {}, {} components, {} rows", info.grid->description().text(), info.components, info.rows);
}
std::string first_line(const io::AlmInfo& info) {
  return fmt::format("alm with lmax {}, mmax {}, {} components", info.lmax, info.mmax, info.components);
}
std::string first_line(const io::PointsInfo& info) {
  return fmt::format("catalogue of {} points, {} components", info.points, info.components);
}
std::string first_line(const TableInfo& info) {
  return fmt::format("{} to l = {}, contents {:016x}", fmt::join(info.table->names, " "), info.table->lmax,
                     contents_hash(*info.table));
}

/// Combines the convention in the job with that in the file; if both specify it, they must agree.
void agree_with_job(const InputSpec& input, io::AlmInfo& info) {
  const ConventionSpec& asked = input.convention;
  const auto agree = [&](const char* key, const auto& wanted, bool file_says, auto& convention, const auto& names) {
    if (!wanted) return;
    if (file_says && *wanted != convention)
      refuse(asked.place, key, names[static_cast<std::size_t>(*wanted)],
             fmt::format("contradicts {}, which specifies '{}': remove the key, or fix the file", info.path,
                         names[static_cast<std::size_t>(convention)]));
    convention = *wanted;
  };
  agree("norm", asked.norm, info.says_norm, info.convention.norm, alm::kNormNames);
  agree("phase", asked.phase, info.says_phase, info.convention.phase, alm::kPhaseNames);
  agree("basis", asked.basis, info.says_basis, info.convention.basis, alm::kBasisNames);
}

/// Combines what the job states about a catalogue with its header; if both specify it, they must agree.
void agree_with_job(const InputSpec& input, io::PointsInfo& info) {
  io::agree_on_metadata(info.path, input.header, info.metadata);
}

template <class Info>
void agree_with_job(const InputSpec&, const Info&) {}

template <class T>
BadPixels read_component(const io::MapInfo& info, Index component, io::Sign sign, transform::MapField<T>& map,
                         Index place, Index c) {
  // The description has another grid than the file only for RepeatedLongitude::kDrop.
  if (map.distribution().grid().npix() != info.grid->npix())
    return read_without_last_longitude(info, component, sign, map, place, c);
  const auto ranges = map.distribution().pixel_ranges(map.rank());
  return io::read_map<T>(info, component, ranges, map.component(place, c), io::BadDataPolicy::kMark, sign);
}
template <class T>
BadPixels read_component(const io::AlmInfo& info, Index component, io::Sign, transform::AlmField<T>& alm, Index place,
                         Index c) {
  io::read_alm<T>(info, component, alm.distribution(), alm.rank(), alm.component(place, c));
  return {};
}
template <class T>
BadPixels read_component(const io::PointsInfo& info, Index component, io::Sign sign, points::PointField<T>& values,
                         Index place, Index c) {
  io::read_values<T>(info, component, values.points()->first, values.component(place, c), BadDataPolicy::kError, sign);
  return {};
}

/// What compressed files contain.
using Contents = std::vector<std::shared_ptr<const core::NodeFile>>;

/// An opened file of a field.
template <class Info>
class FileItem final : public TypedItem<FileItem<Info>> {
 public:
  /// `signs`: of the components that the input reads.
  FileItem(Info info, std::vector<io::Sign> signs, Contents contents)
      : info_(std::move(info)), signs_(std::move(signs)), contents_(std::move(contents)) {}

  core::FileState seen() const override { return info_.seen; }

  std::shared_ptr<const points::LocalPoints> places(int ranks, int rank) const override {
    if constexpr (std::is_same_v<Info, io::PointsInfo>) {
      auto own = std::make_shared<points::LocalPoints>();
      own->first = points::first_point(info_.points, ranks, rank);
      const auto count = static_cast<std::size_t>(points::first_point(info_.points, ranks, rank + 1) - own->first);
      own->theta.resize(count);
      own->phi.resize(count);
      io::read_places(info_, own->first, own->theta, own->phi);
      return own;
    } else {
      return SourceItem::places(ranks, rank);
    }
  }

  template <class T>
  BadPixels read_as(std::span<const Index> components, Value<T>& value, Index place) const {
    auto& field = *value.template find_own<FieldOf<T>>();
    BadPixels bad;
    for (std::size_t c = 0; c < components.size(); ++c)
      bad += read_component<T>(info_, components[c], signs_[c], field, place, static_cast<Index>(c));
    return bad;
  }

 private:
  template <class T>
  using FieldOf = std::conditional_t<
      std::is_same_v<Info, io::MapInfo>, transform::MapField<T>,
      std::conditional_t<std::is_same_v<Info, io::AlmInfo>, transform::AlmField<T>, points::PointField<T>>>;

  Info info_;
  std::vector<io::Sign> signs_;
  Contents contents_;
};

class FileSource final : public Source {
 public:
  FileSource(InputSpec input, BadMapPolicy policy, std::optional<Index> memory_limit)
      : input_(std::move(input)), memory_limit_(memory_limit), first_(open_first(policy)) {
    std::visit([&](const auto& info) { note_seen(info); }, first_);
    described_ = describe(first_);
    for (const auto& contents : contents_)
      if (contents) described_.node_bytes += contents->bytes();
    value_ = input_value(input_, described_);
  }

  std::string text(Index item) const override { return fmt::format("{}", fmt::join(input_.files_of(item), ", ")); }

  std::unique_ptr<SourceItem> open(Index item) const override {
    return std::visit([&](const auto& first) { return open_like(first, item); }, first_);
  }

 private:
  template <class Info>
  void note_seen(const Info& info) {
    if constexpr (requires { info.parts.empty(); })
      if (!info.parts.empty()) {
        for (const Info& part : info.parts) note_seen(part);
        return;
      }
    seen_.push_back({{info.path, info.seen}, first_line(info)});
  }

  /// Opens the file of the description.
  FileInfo open_first(BadMapPolicy policy) {
    if (input_.items.files.empty()) return open_and_agree(input_.entries());
    std::string first_error;
    const auto maps = static_cast<Index>(input_.items.labels.size());
    for (Index map = 0; map < maps; ++map) {
      try {
        return open_and_agree(input_.files_of(map));
      } catch (const core::InputError& error) {
        if (policy == BadMapPolicy::kStop) throw;
        if (first_error.empty()) first_error = error.what();
      }
    }
    complain(input_.place, {},
             fmt::format("none of the {} files can be used; error of the first: {}", input_.items.files.size(),
                         first_error));
  }

  FileInfo open_and_agree(const std::vector<std::string>& files) {
    return at_place(input_.place, [&] {
      contents_ = contents_of(files);
      FileInfo info = open_file(input_, files);
      std::visit([&](auto& one) { agree_with_job(input_, one); }, info);
      const Described described = describe(info);
      polarisation_signs(input_, input_value(input_, described), described.metadata);
      return info;
    });
  }

  Described describe(const FileInfo& any) const {
    Described described{.sort = input_.sort};
    if (!input_.items.empty()) described.dimensions = {{"map", input_.items.labels}};
    std::visit(
        [&]<class Info>(const Info& info) {
          if constexpr (std::is_same_v<Info, TableInfo>) {
            described.table = info.table;
            described.lmax = info.table->lmax;
          } else {
            described.components = info.components;
            described.metadata = info.metadata;
            described.precision = info.precision;
          }
          if constexpr (std::is_same_v<Info, io::MapInfo>) described.grid = grid_of(info);
          if constexpr (std::is_same_v<Info, io::PointsInfo>) described.points = info.points;
          if constexpr (std::is_same_v<Info, io::AlmInfo>) {
            described.lmax = info.lmax;
            described.mmax = info.mmax;
            described.convention = info.convention;
          }
        },
        any);
    return described;
  }

  std::shared_ptr<const grid::RingGrid> grid_of(const io::MapInfo& info) const {
    if (input_.repeated_longitude != RepeatedLongitude::kDrop) return info.grid;
    try {
      return std::make_shared<const grid::RingGrid>(grid::without_last_longitude(*info.grid));
    } catch (const core::InputError& error) {
      refuse(input_.place, "repeated_longitude", "drop",
             fmt::format("does not apply to {}: {}", info.path, error.what()));
    }
  }

  template <class Info>
  std::unique_ptr<SourceItem> open_like(const Info& first, Index item) const {
    Info info = first;
    Contents contents;
    if (input_.items.files.empty()) {
      if constexpr (requires { info.batch; })
        if (!input_.items.empty()) info.batch.map = item;
    } else if (text(item) != first.path) {
      contents = contents_of(input_.files_of(item));
      info = at_place(input_.place, [&] { return std::get<Info>(open_file(input_, input_.files_of(item))); });
      if constexpr (std::is_same_v<Info, io::PointsInfo>) agree_with_job(input_, info);
      check_like(info, first);
    }
    if constexpr (std::is_same_v<Info, TableInfo>)
      return std::make_unique<TableItem>(info.table, core::SeenFile{info.path, info.seen});
    else {
      std::vector<io::Sign> signs = polarisation_signs(input_, value_, info.metadata);
      return std::make_unique<FileItem<Info>>(std::move(info), std::move(signs), std::move(contents));
    }
  }

  /// Held while a file is opened, its inflated contents are limited by the memory of the job.
  Contents contents_of(const std::vector<std::string>& files) const {
    Contents contents;
    for (const std::string& file : files) contents.push_back(io::inflated_contents(file, memory_limit_));
    return contents;
  }

  InputSpec input_;
  std::optional<Index> memory_limit_;
  Contents contents_;  ///< of the files of the description
  FileInfo first_;
  InputValue value_;
};

}  // namespace

std::shared_ptr<const Source> open_files(const InputSpec& input, BadMapPolicy policy,
                                         std::optional<Index> memory_limit) {
  return std::make_shared<const FileSource>(input, policy, memory_limit);
}

std::shared_ptr<const grid::RingGrid> open_rings(const std::string& file) { return io::read_rings(file); }

Index maps_in_file(const InputSpec& input) {
  try {
    if (io::is_fits(input.file)) return 0;  // and need not be inflated
    // An axis of one map is none.
    const auto several = [](Index maps) { return maps > 1 ? maps : 0; };
    if (input.sort == ValueSort::kMap)
      return several(io::open_map(input.file, io::BatchPolicy::kTake, input.header).batch.maps);
    if (input.sort == ValueSort::kAlm)
      return several(io::open_alm(input.file, io::BatchPolicy::kTake, input.header.hdu).batch.maps);
  } catch (const core::InputError&) {
    return 0;
  }
  return 0;
}

}  // namespace armilla::job
