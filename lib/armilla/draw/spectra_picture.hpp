#pragma once

#include <armilla/core/types.hpp>
#include <armilla/draw/canvas.hpp>

#include <span>
#include <string>
#include <vector>

namespace armilla::draw {

/// One angular power spectrum.
struct SpectrumCurve {
  std::string name;            ///< for the legend, such as "TT"
  std::vector<double> values;  ///< C_l for l = 0, 1, 2 ...
  /// Of the same length, half the height of a band around the absolute values, such as the standard deviation of those
  /// that they are the mean of; empty for no band.
  std::vector<double> deviation = {};
  /// Others that go with it, such as some of those that it is the mean of: thin lines. Of the same length.
  std::vector<std::vector<double>> samples = {};
};

enum class SpectrumQuantity {
  kBandPower,  ///< l (l + 1) C_l / (2 pi)
  kPower,      ///< C_l
};

enum class AxisScale { kLog, kLinear };

struct SpectraStyle {
  SpectrumQuantity quantity = SpectrumQuantity::kBandPower;
  AxisScale l_axis = AxisScale::kLog;
  /// Stands for the first multipole from 1 on at which a curve has 1e-12 of the largest value or more.
  static constexpr core::Index kWherePowerBegins = -1;
  core::Index lmin = kWherePowerBegins;  ///< first multipole drawn, at least 1 on a logarithmic axis
  std::string unit = {};                 ///< of C_l, such as "uK^2"; may be empty
  std::string title = {};                ///< above the plot; may be empty
  PictureFormat format = PictureFormat::kPng;
  int width = 1000;   ///< of the picture [pixels], at least 300
  int height = 1000;  ///< at least 200
};

/// Draws spectra over l, and returns the bytes of the file. Their values are on a logarithmic axis: solid lines where
/// positive, thin dashed ones for the absolute value where negative; zeros and values that are not finite are left out.
/// The axis of values spans what the curves and the upper ends of their bands need, at most 12 decades below the
/// largest value; a band that reaches down to 0 goes to its end, and is fainter. Throws as make_canvas(), and
/// InputError for no curves, bands and samples of another length, no multipole from lmin on, a picture too small, lmin
/// < 1 on a logarithmic axis.
std::string draw_spectra(std::span<const SpectrumCurve> curves, SpectraStyle style = {});

}  // namespace armilla::draw
