# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""modifier_lanes.py"""


def cases(gpu, rnd):
    """none yet"""
