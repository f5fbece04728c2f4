# SPDX-License-Identifier: MIT
# The tag of exceptions, which the library of the compiler does not define.
	.globl	__cpp_exception
	.tagtype	__cpp_exception i32
__cpp_exception:
