"""Which tests a part runs, and in which order: the most important first."""

# Tests on the device of each program; ranks that share one device.
PROGRAMS = ("test_kernels", "test_backend", "test_radial", "test_points", "test_transform", "test_iteration", "test_ops", "test_job")
MPI_PROGRAMS = ("test_radial", "test_points", "test_transform", "test_iteration", "test_ops", "test_job")
RANKS = 3

# Minutes on the cores of the machine: all combinations of parameters, reference values at high degrees. Part "deep"
# runs these, part "check" all others.
LARGE = {
    "test_kernels": [],
    "test_backend": ["*Sweep.*", "Sweep/*LegendreCase.*"],
    "test_radial": [],
    "test_points": ["*Sweep.*"],
    "test_transform": ["*Sweep.*"],
    "test_iteration": ["*Sweep.*"],
    "test_ops": [],
    "test_job": ["*Sweep.*"],
}

# For compute-sanitizer, which makes kernels slower by ten to a hundred times: few rings and few m, each kernel once.
# DeviceMemory.SaysSoWhereTheDeviceHasTooLittle has to stay out: it asks CUDA for more memory than there is, and memcheck
# reports each call of CUDA that fails. Other tests of too little memory ask only the account that Armilla keeps.
TINY = {
    "test_kernels": [
        "DeviceMemory.NumbersComeBackAsTheyWent",
        "DeviceMemory.IsSetToZeroInTheOrderOfTheStream",
        "FftPlanOf/*.TransformsEachLine",
        "RingKernels.*",
        "RadialKernels.*",
        "NufftKernels/*",
    ],
    "test_backend": [
        "Sweep/DeviceLegendreCase.*/tiny_spin[02]_maps[15]",
        "Sweep/TensorLegendreCase.*/few_rings_spin[02]_maps[49]",
        "DeviceRings.MayHaveNothingToDo",
        "DeviceRings.AreAdjoint",
        "DeviceTheta.CarriesBackTheTranspose",
        "Spins/DeviceThetaOfSpins.CarriesColumnsToTheFineGridItself/2",
        "DeviceTheta.GivesTheSameBitsInAnyChunkAndBatch",
        "DeviceQuadrature.GivesTheSameBitsInAnyChunk",
        "DeviceWigner.GivesTheSameBitsInRangesOfM",
    ],
    "test_radial": ["DeviceConvolver.RoundsFieldsInSinglePrecisionOnce"],
    "test_points": ["PointsOnDevice.MayBeFewerThanRanks"],
    "test_ops": ["FieldOperations/*.SmoothsOnTheDevice", "FieldOperations/*.MasksOnTheDevice"],
}

# Whether compute-sanitizer takes the device is tried with this one.
TRIAL = {"test_kernels": ["DeviceMemory.NumbersComeBackAsTheyWent"]}

# For racecheck in part "check": sums in shared memory whose threads take turns by barriers alone.
RACES = {"test_kernels": ["NufftKernels/*"]}

# More for racecheck and initcheck, which have a part with time for them.
SMALL = {
    "test_backend": [
        "DeviceLegendre.AdjointIsTheTransposeOfSynthesis",
        "TensorLegendre.AdjointIsTheTransposeOfSynthesis",
        "Sweep/TensorLegendreCase.*/many_rings_spin0_maps5",
        "DeviceRingsOf/1.GiveTheSameBitsInAnyBatch",
    ],
    "test_iteration": [
        "CudaIterations.HaveTheSameBitsInAnyWorkingSpace",
        "CudaIterations.NormalIsThatOfTheCpu",
    ],
    "test_radial": ["RadialStage.*", "DeviceConvolver.AgreesWithTheCpu"],
    "test_points": [
        "PointsOnDevice.AdjointIsTheTranspose",
        "PointsOnDevice.AreBitwiseIdenticalInAnySpaceAndBatch",
    ],
    "test_ops": ["FieldOperations/*"],
}

# Of all these, what the report runs on the emulated device: seconds on two cores.
QUICK = {
    "test_kernels": ["DeviceMemory.*", "FftPlanOf/*", "RingKernels.*", "RadialKernels.*", "NufftKernels/*"],
    "test_backend": [
        "Cases/DeviceLegendreCase.*/tiny_*",
        "Cases/TensorLegendreCase.*/constant_*",
        "Sweep/DeviceLegendreCase.*/tiny_spin[012]_maps1",
        "Sweep/TensorLegendreCase.*/constant_spin[012]_maps[14]",
        "DeviceRings.MayHaveNothingToDo",
    ],
    "test_radial": ["RadialStage.*"],
    "test_points": ["PointsOnDevice.MayBeFewerThanRanks", "PointsOnDevice.AdjointIsTheTranspose"],
    "test_transform": ["CudaBackend.AgreesOnPartsOfTheSky", "CudaBackendSweep.HoldsEveryGroupOfRingsOfTheReference"],
    "test_iteration": ["CudaIterations.NormalIsThatOfTheCpu"],
    "test_ops": ["FieldOperations/*.ScalesAndAddsOnTheDevice"],
    "test_job": ["Devices.AreInTheForecastOfADryRun"],
}

TEST_SECONDS = 90  # that a test may take in part "check"
LARGE_SECONDS = 240
SANITIZER_SECONDS = 120
