#include <armilla/comm/phase.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/io/component_spins.hpp>
#include <armilla/io/fits_alm.hpp>
#include <armilla/io/fits_handle.hpp>
#include <armilla/io/fits_table.hpp>
#include <armilla/io/root_stream.hpp>

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

namespace armilla::io {

namespace {

// Coefficients sent to the root at once: about 32 MiB in double precision; at least one degree l.
constexpr Index kAlmWritten = Index{1} << 21;

std::vector<FitsColumn> alm_columns(const alm::AlmLayout& layout, const std::string& unit, core::Precision precision) {
  const bool narrow = fits_index_of(layout.lmax(), layout.mmax()) <= std::numeric_limits<std::int32_t>::max();
  const int type = precision == core::Precision::kSingle ? TFLOAT : TDOUBLE;
  return {{.number = 1, .name = "INDEX", .unit = "l*l+l+m+1", .type = narrow ? TLONG : TLONGLONG, .repeat = 1},
          {.number = 2, .name = "REAL", .unit = unit, .type = type, .repeat = 1},
          {.number = 3, .name = "IMAG", .unit = unit, .type = type, .repeat = 1}};
}

void write_header(const FitsFile& file, const FieldMetadata& metadata, std::size_t component,
                  const alm::AlmLayout& layout) {
  write_fits_text(file, "FIELD", metadata.fields[component], "field of these coefficients");
  if (const Index spin = spin_of(metadata, component); spin != kUnknownSpin)
    write_fits_index(file, "SPIN", spin, "spin of the harmonics");
  write_fits_index(file, "MAX-LPOL", layout.lmax(), "largest l");
  write_fits_index(file, "MAX-MPOL", layout.mmax(), "largest m");
  write_fits_conventions(file, metadata);
}

template <class T>
void write_block(const FitsFile& file, const std::vector<FitsColumn>& columns, const alm::AlmLayout& layout,
                 Index first_row, Index first_l, Index last_l, std::span<const std::complex<T>> values) {
  const Index slice = fits_buffered_rows(file);
  std::vector<Index> index;
  std::vector<T> real, imag;
  const auto write_slice = [&] {
    const auto count = static_cast<Index>(index.size());
    write_fits_values(file, columns[0], first_row, count, index.data());
    write_fits_values(file, columns[1], first_row, count, real.data());
    write_fits_values(file, columns[2], first_row, count, imag.data());
    first_row += count;
    index.clear();
    real.clear();
    imag.clear();
  };
  std::size_t i = 0;
  for (Index l = first_l; l < last_l; ++l)
    for (Index m = 0; m <= std::min(l, layout.mmax()); ++m) {
      index.push_back(fits_index_of(l, m));
      real.push_back(values[i].real());
      imag.push_back(values[i++].imag());
      if (static_cast<Index>(index.size()) == slice) write_slice();
    }
  write_slice();
}

}  // namespace

template <class T>
void write_fits_alm(const comm::Communicator& comm, const AtomicFile& file, const FieldMetadata& metadata,
                    const dist::AlmDistribution& alm, std::span<const std::complex<T>> local,
                    const WriteOptions& options) {
  const alm::AlmLayout& layout = alm.layout();
  const auto components = static_cast<Index>(metadata.fields.size());
  const auto own = static_cast<std::size_t>(alm.local_size(comm.rank()));
  const Index degrees = std::max<Index>(kAlmWritten / (layout.mmax() + 1), 1);
  std::optional<FitsFile> out;
  std::vector<std::complex<T>> block;
  comm::phase(comm, [&] {
    if (!comm.is_root()) return;
    file.check_space(components * fits_table_bytes(alm_columns(layout, "", options.precision), layout.size()));
    out.emplace(FitsFile::create(file.partial_path(), file.path()));
    block.resize(static_cast<std::size_t>(std::min(degrees * (layout.mmax() + 1), layout.size())));
  });
  AlmStream<T> stream(comm, alm);
  for (std::size_t c = 0; c < metadata.fields.size(); ++c) {
    const std::vector<FitsColumn> columns = alm_columns(layout, metadata.unit(c), options.precision);
    comm::phase(comm, [&] {
      if (!out) return;
      create_fits_table(*out, columns, layout.size(), "ALM_" + metadata.fields[c]);
      write_header(*out, metadata, c, layout);
    });
    for (Index l = 0; l <= layout.lmax(); l += degrees) {
      const Index last = std::min(l + degrees, layout.lmax() + 1);
      stream.gather(local.subspan(c * own, own), l, last, block);
      comm::phase(comm, [&] {
        if (out) write_block<T>(*out, columns, layout, stream.begin_of(l), l, last, block);
      });
    }
  }
  comm::phase(comm, [&] {
    if (out) out->close();
  });
}

ARMILLA_INSTANTIATE(write_fits_alm);

}  // namespace armilla::io
