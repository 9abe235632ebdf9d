#include <armilla/comm/phase.hpp>
#include <armilla/core/aligned_buffer.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/grid/healpix.hpp>
#include <armilla/grid/part.hpp>
#include <armilla/io/component_spins.hpp>
#include <armilla/io/field_names.hpp>
#include <armilla/io/fits_handle.hpp>
#include <armilla/io/fits_map.hpp>
#include <armilla/io/fits_table.hpp>
#include <armilla/io/pixel_order.hpp>
#include <armilla/io/point_columns.hpp>
#include <armilla/io/root_stream.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>

namespace armilla::io {

namespace {

// Pixels of one component sent to the root at once: 32 MiB in double precision, a multiple of the row length.
constexpr Index kPixelsWritten = Index{1} << 22;

void write_coverage(const FitsFile& file, const grid::RingGrid& grid) {
  const bool whole = grid.description().is_whole();
  if (whole) {
    write_fits_index(file, "FIRSTPIX", 0, "first pixel (0 based)");
    write_fits_index(file, "LASTPIX", grid.npix() - 1, "last pixel (0 based)");
  } else {
    write_fits_index(file, "OBS_NPIX", grid.npix(), "number of pixels");
  }
  write_fits_text(file, "INDXSCHM", whole ? "IMPLICIT" : "EXPLICIT",
                  whole ? "pixel number = row number" : "pixel number in column PIXEL");
  write_fits_text(file, "OBJECT", whole ? "FULLSKY" : "PARTIAL", "sky coverage");
}

// Spins other than those that the names of the columns define, also unknown ones. Columns with other names are scalars.
void write_spins(const FitsFile& file, const FieldMetadata& metadata) {
  FieldMetadata named;
  for (std::size_t c = 0; c < metadata.fields.size(); ++c) named.columns.push_back(column_of_field(metadata, c));
  set_spins_of_columns(named);
  std::vector<Index> spins;
  bool differ = false;
  for (std::size_t c = 0; c < metadata.fields.size(); ++c) {
    spins.push_back(spin_of(metadata, c));
    const Index of_name = spin_of(named, c);
    differ = differ || (of_name == kUnknownSpin ? spins.back() > 0 : spins.back() != of_name);
  }
  if (differ) write_fits_text(file, "SPINS", list_of_spins(spins), "spins of the columns with values");
}

void write_header(const FitsFile& file, const FieldMetadata& metadata, const grid::RingGrid& grid, Ordering ordering) {
  write_fits_text(file, "PIXTYPE", "HEALPIX", "HEALPIX pixelisation");
  write_fits_text(file, "ORDERING", std::string(ordering_name(ordering)), "pixel ordering, RING or NESTED");
  write_fits_index(file, "NSIDE", grid.description().nside, "resolution parameter of HEALPIX");
  write_coverage(file, grid);
  write_spins(file, metadata);
  write_fits_conventions(file, metadata);
  write_fits_number(file, "BAD_DATA", kBadPixel, "value of pixels without data");
}

// Pixel indices fit in 32 bits up to nside 8192.
FitsColumn index_column(const grid::RingGrid& grid) {
  const Index nside = grid.description().nside;
  const bool narrow = 12 * nside * nside - 1 <= std::numeric_limits<std::int32_t>::max();
  return {.number = 1, .name = "PIXEL", .unit = "", .type = narrow ? TLONG : TLONGLONG, .repeat = 1};
}

// A partial sky has a column of pixel indices before the map columns.
std::vector<FitsColumn> map_columns(const FieldMetadata& metadata, const grid::RingGrid& grid,
                                    core::Precision precision) {
  const bool whole = grid.description().is_whole();
  std::vector<FitsColumn> columns;
  for (std::size_t c = 0; c < metadata.fields.size(); ++c)
    columns.push_back({.number = static_cast<int>(c) + (whole ? 1 : 2),
                       .name = column_of_field(metadata, c),
                       .unit = metadata.unit(c),
                       .type = precision == core::Precision::kSingle ? TFLOAT : TDOUBLE,
                       .repeat = whole && grid.npix() % 1024 == 0 ? 1024 : 1});
  return columns;
}

// Writes the indices in the full grid of the pixels of a partial sky, in the order of the part.
void write_index(const FitsFile& file, const grid::RingGrid& grid) {
  const FitsColumn column = index_column(grid);
  const std::vector<Index> numbers = grid::ring_numbers(grid);
  std::vector<Index> pixels;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const grid::Ring& ring = grid.rings()[i];
    pixels.resize(static_cast<std::size_t>(ring.nphi));
    std::iota(pixels.begin(), pixels.end(), grid::healpix_first_pixel(grid.description().nside, numbers[i]));
    write_fits_values(file, column, ring.first_pixel, ring.nphi, pixels.data());
  }
}

// Writes all columns of a block before the next block, so that the file grows sequentially.
template <class T>
void write_ring(const comm::Communicator& comm, const dist::PixelDistribution& pixels, std::span<const T> local,
                const std::optional<FitsFile>& out, const std::vector<FitsColumn>& columns) {
  const Index npix = pixels.grid().npix();
  const auto own = static_cast<std::size_t>(pixels.local_pixels(comm.rank()));
  core::AlignedBuffer<T> block;
  comm::phase(comm, [&] { block = core::AlignedBuffer<T>(comm.is_root() ? std::min(kPixelsWritten, npix) : 0); });
  PixelStream<T> stream(comm, pixels);
  for (Index first = 0; first < npix; first += kPixelsWritten) {
    const Index count = std::min(kPixelsWritten, npix - first);
    for (std::size_t c = 0; c < columns.size(); ++c) {
      stream.gather(local.subspan(c * own, own), first, count, block.span());
      comm::phase(comm, [&] {
        if (out) write_fits_values(*out, columns[c], first, count, block.data());
      });
    }
  }
}

template <class T>
void write_nested(const comm::Communicator& comm, const dist::PixelDistribution& pixels, std::span<const T> local,
                  const std::optional<FitsFile>& out, const std::vector<FitsColumn>& columns) {
  const Index npix = pixels.grid().npix();
  const Index nside = pixels.grid().description().nside;
  const auto own = static_cast<std::size_t>(pixels.local_pixels(comm.rank()));
  core::AlignedBuffer<T> ring, nested;
  comm::phase(comm, [&] {
    ring = core::AlignedBuffer<T>(comm.is_root() ? npix : 0);
    nested = core::AlignedBuffer<T>(comm.is_root() ? npix : 0);
  });
  PixelStream<T> stream(comm, pixels);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    stream.gather(local.subspan(c * own, own), 0, npix, ring.span());
    comm::phase(comm, [&] {
      if (!out) return;
      ring_to_nested<T>(nside, ring.span(), nested.span());
      write_fits_values(*out, columns[c], 0, npix, nested.data());
    });
  }
}

}  // namespace

template <class T>
void write_fits_map(const comm::Communicator& comm, const AtomicFile& file, const FieldMetadata& metadata,
                    const dist::PixelDistribution& pixels, std::span<const T> local, const WriteOptions& options) {
  const Index npix = pixels.grid().npix();
  const std::vector<FitsColumn> columns = map_columns(metadata, pixels.grid(), options.precision);
  std::vector<FitsColumn> all = columns;
  const bool whole = pixels.grid().description().is_whole();
  if (!whole) all.insert(all.begin(), index_column(pixels.grid()));
  std::optional<FitsFile> out;
  comm::phase(comm, [&] {
    if (!comm.is_root()) return;
    file.check_space(fits_table_bytes(all, npix));
    out.emplace(FitsFile::create(file.partial_path(), file.path()));
    create_fits_table(*out, all, npix, "MAP");
    write_header(*out, metadata, pixels.grid(), options.ordering);
    if (!whole) write_index(*out, pixels.grid());
  });
  if (options.ordering == Ordering::kNested)
    write_nested(comm, pixels, local, out, columns);
  else
    write_ring(comm, pixels, local, out, columns);
  comm::phase(comm, [&] {
    if (out) out->close();
  });
}

ARMILLA_INSTANTIATE(write_fits_map);

}  // namespace armilla::io
