// What sources for mindspore.ops.CustomOpBuilder include.
#pragma once
#include "ms_extension/binding.h"
#include "ms_extension/pyboost_runner.h"
#include "ms_extension/tensor.h"
#include "ms_extension/type_id.h"
