#pragma once
#include "ms_extension/api.h"
