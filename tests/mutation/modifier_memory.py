# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""modifier_memory.py"""


def cases(gpu, rnd):
    """none yet"""
