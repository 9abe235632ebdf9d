#pragma once

#include <armilla/job/parse/operation_kind.hpp>
#include <armilla/job/run/finding.hpp>

/// The table rows of the operations, each defined in the file of the same name.
namespace armilla::job::steps {

OperationKind random_alm();
OperationKind synthesis();
OperationKind analysis();
OperationKind adjoint_synthesis();
OperationKind adjoint_analysis();
OperationKind gradient();
OperationKind adjoint_gradient();  ///< in gradient.cpp
OperationKind synthesis_at();
OperationKind adjoint_synthesis_at();
OperationKind analysis_at();
OperationKind gradient_at();
OperationKind lens();
OperationKind pointing();  ///< in lens.cpp
OperationKind lens_adjoint();
OperationKind inverse_deflection();
OperationKind convert_vector();
OperationKind regrid();
OperationKind smooth();
OperationKind multiply();
OperationKind convolve();
OperationKind reconstruct();
OperationKind scale();
OperationKind add();
OperationKind resize();
OperationKind rotate();
OperationKind mask();
OperationKind select();
OperationKind leakage();
OperationKind spectra();
OperationKind decouple();
OperationKind statistics();
OperationKind compare();

// The table rows of findings.
FindingKind analyses();      ///< in analysis_outcomes.cpp
FindingKind comparisons();   ///< in compare.cpp
FindingKind leakage_fits();  ///< in leakage.cpp

}  // namespace armilla::job::steps
