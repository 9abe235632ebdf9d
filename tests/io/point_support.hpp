#pragma once

#include <armilla/core/types.hpp>
#include <armilla/io/points.hpp>
#include <armilla/io/polarisation.hpp>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "foreign_support.hpp"
#include "io_support.hpp"

namespace armilla::test {

inline constexpr const char* kPointEndings[] = {".h5", ".fits", ".csv", ".txt"};

/// Points whose digits fill a double: both poles, a meridian beyond a turn, and points between.
inline double theta_of(Index point, Index points) {
  if (point == 0) return 0;
  if (point == points - 1) return core::kPi;
  const auto number = static_cast<double>(point);
  return (core::kPi * number + 0.3 * std::sin(number)) / static_cast<double>(points);
}
inline double phi_of(Index point) { return 0.37 * static_cast<double>(point) - 5; }

/// Of one rank, `count` points from `first` on.
template <class T>
struct Catalogue {
  std::vector<double> theta, phi;
  std::vector<T> values;  ///< [component][point]

  Catalogue(Index points, Index first, Index count, Index components) {
    for (Index i = first; i < first + count; ++i) {
      theta.push_back(theta_of(i, points));
      phi.push_back(phi_of(i));
    }
    for (Index c = 0; c < components; ++c)
      for (Index i = first; i < first + count; ++i) values.push_back(static_cast<T>(pixel_value(c, i)));
  }
};

/// What a file holds, read over NaN in pieces of that many points.
template <class T>
void expect_catalogue(const io::PointsInfo& info, const Catalogue<T>& written, Index first, core::Precision precision,
                      Index piece) {
  const auto own = static_cast<Index>(written.theta.size());
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  for (Index done = 0; done < own; done += piece) {
    const auto count = static_cast<std::size_t>(std::min(piece, own - done));
    const auto at = static_cast<std::size_t>(done);
    std::vector<double> theta(count, nan), phi(count, nan);
    io::read_places(info, first + done, theta, phi);
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_EQ(theta[i], written.theta[at + i]) << info.path << " at " << first + done;
      ASSERT_EQ(phi[i], written.phi[at + i]) << info.path << " at " << first + done;
    }
    for (Index c = 0; c < info.components; ++c) {
      std::vector<T> values(count, std::numeric_limits<T>::quiet_NaN());
      io::read_values<T>(info, c, first + done, values);
      for (std::size_t i = 0; i < count; ++i)
        ASSERT_EQ(values[i], stored(written.values[static_cast<std::size_t>(c * own) + at + i], precision))
            << info.path << " component " << c;
    }
  }
}

inline void write_text(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

inline std::vector<double> thetas_of(const io::PointsInfo& info) {
  std::vector<double> theta(static_cast<std::size_t>(info.points)), phi(theta.size());
  io::read_places(info, 0, theta, phi);
  return theta;
}

inline std::vector<double> phis_of(const io::PointsInfo& info) {
  std::vector<double> theta(static_cast<std::size_t>(info.points)), phi(theta.size());
  io::read_places(info, 0, theta, phi);
  return phi;
}

inline std::vector<double> values_of(const io::PointsInfo& info, Index component,
                                     io::BadDataPolicy policy = io::BadDataPolicy::kError) {
  std::vector<double> values(static_cast<std::size_t>(info.points));
  io::read_values<double>(info, component, 0, values, policy,
                          io::sign_to_cosmo(info.metadata, static_cast<std::size_t>(component)));
  return values;
}

/// A catalogue in each format with these two columns and one of values, by other programs' means.
inline std::vector<std::string> foreign_catalogues(const TemporaryFolder& folder, const std::string& first,
                                                   const std::string& second, const std::vector<double>& x,
                                                   const std::vector<double>& y, const std::string& unit = "") {
  const std::vector<std::string> paths{folder / "foreign.h5", folder / "foreign.fits", folder / "foreign.csv"};
  for (const std::string& path : paths) std::filesystem::remove(path);
  const std::vector<double> values(x.size(), 1.5);
  make_hdf5(paths[0], [&](hid_t file) {
    for (const auto& [name, numbers] : {std::pair(first, x), {second, y}}) {
      const hid_t dataset = add_hdf5_dataset(file, name, {numbers.size()}, {}, numbers);
      if (!unit.empty()) add_hdf5_text(dataset, "UNITS", {unit});
      H5Dclose(dataset);
    }
    H5Dclose(add_hdf5_dataset(file, "values", {1, values.size()}, {}, values));
  });
  Keywords units;
  if (!unit.empty()) units = {{"TUNIT1", unit}, {"TUNIT2", unit}};
  append_fits_table(paths[1], {{first, "D", x}, {second, "D", y}, {"FLUX", "D", values}}, static_cast<Index>(x.size()),
                    units);
  std::string text = first + "," + second + ",flux\n";
  for (std::size_t i = 0; i < x.size(); ++i) {
    char row[100];
    std::snprintf(row, sizeof row, "%.17g,%.17g,%g\n", x[i], y[i], values[i]);
    text += row;
  }
  write_text(paths[2], text);
  return paths;
}

inline void expect_bad_open(const std::string& path, std::vector<std::string> parts,
                            const io::PointColumns& columns = {}) {
  parts.push_back(path);
  expect_error<core::InputError>([&] { io::open_points(path, columns); }, parts);
}

}  // namespace armilla::test
