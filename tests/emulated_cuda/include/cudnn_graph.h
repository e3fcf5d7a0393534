// Stand-in for the header of this name in cuDNN 9.
#pragma once

#include "cudnn.h"
