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
  /// Half the height of a band around the absolute values, such as the standard deviation of the averaged spectra. Same
  /// length as `values`; empty for no band.
  std::vector<double> deviation = {};
  /// Related curves, such as some of the averaged spectra, drawn as thin lines. Same length as `values`.
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
  /// Selects the first multipole >= 1 at which a curve has at least 1e-12 of the largest value.
  static constexpr core::Index kWherePowerBegins = -1;
  core::Index lmin = kWherePowerBegins;  ///< first multipole drawn, at least 1 on a logarithmic axis
  std::string unit = {};                 ///< of C_l, such as "uK^2"; may be empty
  std::string title = {};                ///< above the plot; may be empty
  PictureFormat format = PictureFormat::kPng;
  int width = 1000;   ///< of the picture [pixels], at least 300
  int height = 1000;  ///< at least 200
};

/// Draws spectra over l, and returns the contents of the file. Values are on a logarithmic axis: solid lines for
/// positive values, thin dashed lines for the absolute value of negative ones. Zeros and non-finite values are omitted.
/// The value axis covers the curves and the upper ends of their bands, at most 12 decades below the largest value. A
/// band that reaches 0 extends to the end of the axis and is fainter. Throws like make_canvas(). Throws InputError for
/// no curves, bands and samples of another length, no multipole >= lmin, a picture too small, or lmin < 1 on a
/// logarithmic axis.
std::string draw_spectra(std::span<const SpectrumCurve> curves, SpectraStyle style = {});

}  // namespace armilla::draw
