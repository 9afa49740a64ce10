// SPDX-License-Identifier: Apache-2.0
/* Instructions of SPIR-V by their numbers: SPIR-V 3.49. */
#ifndef OCLMM_KERNEL_OPCODES_H
#define OCLMM_KERNEL_OPCODES_H

#include <stdint.h>

/* X(enumerator, name, number) */
#define OPCODES(X)                                                                                 \
	X(UNDEF, "OpUndef", 1)                                                                     \
	X(NAME, "OpName", 5)                                                                       \
	X(STRING, "OpString", 7)                                                                   \
	X(LINE, "OpLine", 8)                                                                       \
	X(EXT_INST_IMPORT, "OpExtInstImport", 11)                                                  \
	X(EXT_INST, "OpExtInst", 12)                                                               \
	X(ENTRY_POINT, "OpEntryPoint", 15)                                                         \
	X(TYPE_VOID, "OpTypeVoid", 19)                                                             \
	X(TYPE_BOOL, "OpTypeBool", 20)                                                             \
	X(TYPE_INT, "OpTypeInt", 21)                                                               \
	X(TYPE_FLOAT, "OpTypeFloat", 22)                                                           \
	X(TYPE_VECTOR, "OpTypeVector", 23)                                                         \
	X(TYPE_ARRAY, "OpTypeArray", 28)                                                           \
	X(TYPE_STRUCT, "OpTypeStruct", 30)                                                         \
	X(TYPE_POINTER, "OpTypePointer", 32)                                                       \
	X(TYPE_FUNCTION, "OpTypeFunction", 33)                                                     \
	X(TYPE_EVENT, "OpTypeEvent", 34)                                                           \
	X(TYPE_PIPE, "OpTypePipe", 38)                                                             \
	X(CONSTANT_TRUE, "OpConstantTrue", 41)                                                     \
	X(CONSTANT_FALSE, "OpConstantFalse", 42)                                                   \
	X(CONSTANT, "OpConstant", 43)                                                              \
	X(CONSTANT_COMPOSITE, "OpConstantComposite", 44)                                           \
	X(CONSTANT_NULL, "OpConstantNull", 46)                                                     \
	X(SPEC_CONSTANT_OP, "OpSpecConstantOp", 52)                                                \
	X(FUNCTION, "OpFunction", 54)                                                              \
	X(FUNCTION_PARAMETER, "OpFunctionParameter", 55)                                           \
	X(FUNCTION_END, "OpFunctionEnd", 56)                                                       \
	X(FUNCTION_CALL, "OpFunctionCall", 57)                                                     \
	X(VARIABLE, "OpVariable", 59)                                                              \
	X(LOAD, "OpLoad", 61)                                                                      \
	X(STORE, "OpStore", 62)                                                                    \
	X(COPY_MEMORY, "OpCopyMemory", 63)                                                         \
	X(COPY_MEMORY_SIZED, "OpCopyMemorySized", 64)                                              \
	X(ACCESS_CHAIN, "OpAccessChain", 65)                                                       \
	X(IN_BOUNDS_ACCESS_CHAIN, "OpInBoundsAccessChain", 66)                                     \
	X(PTR_ACCESS_CHAIN, "OpPtrAccessChain", 67)                                                \
	X(GENERIC_PTR_MEM_SEMANTICS, "OpGenericPtrMemSemantics", 69)                               \
	X(IN_BOUNDS_PTR_ACCESS_CHAIN, "OpInBoundsPtrAccessChain", 70)                              \
	X(DECORATE, "OpDecorate", 71)                                                              \
	X(GROUP_DECORATE, "OpGroupDecorate", 74)                                                   \
	X(VECTOR_EXTRACT_DYNAMIC, "OpVectorExtractDynamic", 77)                                    \
	X(VECTOR_INSERT_DYNAMIC, "OpVectorInsertDynamic", 78)                                      \
	X(VECTOR_SHUFFLE, "OpVectorShuffle", 79)                                                   \
	X(COMPOSITE_CONSTRUCT, "OpCompositeConstruct", 80)                                         \
	X(COMPOSITE_EXTRACT, "OpCompositeExtract", 81)                                             \
	X(COMPOSITE_INSERT, "OpCompositeInsert", 82)                                               \
	X(COPY_OBJECT, "OpCopyObject", 83)                                                         \
	X(CONVERT_F_TO_U, "OpConvertFToU", 109)                                                    \
	X(CONVERT_F_TO_S, "OpConvertFToS", 110)                                                    \
	X(CONVERT_S_TO_F, "OpConvertSToF", 111)                                                    \
	X(CONVERT_U_TO_F, "OpConvertUToF", 112)                                                    \
	X(U_CONVERT, "OpUConvert", 113)                                                            \
	X(S_CONVERT, "OpSConvert", 114)                                                            \
	X(F_CONVERT, "OpFConvert", 115)                                                            \
	X(CONVERT_PTR_TO_U, "OpConvertPtrToU", 117)                                                \
	X(SAT_CONVERT_S_TO_U, "OpSatConvertSToU", 118)                                             \
	X(SAT_CONVERT_U_TO_S, "OpSatConvertUToS", 119)                                             \
	X(CONVERT_U_TO_PTR, "OpConvertUToPtr", 120)                                                \
	X(PTR_CAST_TO_GENERIC, "OpPtrCastToGeneric", 121)                                          \
	X(GENERIC_CAST_TO_PTR, "OpGenericCastToPtr", 122)                                          \
	X(GENERIC_CAST_TO_PTR_EXPLICIT, "OpGenericCastToPtrExplicit", 123)                         \
	X(BITCAST, "OpBitcast", 124)                                                               \
	X(S_NEGATE, "OpSNegate", 126)                                                              \
	X(F_NEGATE, "OpFNegate", 127)                                                              \
	X(I_ADD, "OpIAdd", 128)                                                                    \
	X(F_ADD, "OpFAdd", 129)                                                                    \
	X(I_SUB, "OpISub", 130)                                                                    \
	X(F_SUB, "OpFSub", 131)                                                                    \
	X(I_MUL, "OpIMul", 132)                                                                    \
	X(F_MUL, "OpFMul", 133)                                                                    \
	X(U_DIV, "OpUDiv", 134)                                                                    \
	X(S_DIV, "OpSDiv", 135)                                                                    \
	X(F_DIV, "OpFDiv", 136)                                                                    \
	X(U_MOD, "OpUMod", 137)                                                                    \
	X(S_REM, "OpSRem", 138)                                                                    \
	X(S_MOD, "OpSMod", 139)                                                                    \
	X(F_REM, "OpFRem", 140)                                                                    \
	X(F_MOD, "OpFMod", 141)                                                                    \
	X(VECTOR_TIMES_SCALAR, "OpVectorTimesScalar", 142)                                         \
	X(DOT, "OpDot", 148)                                                                       \
	X(ANY, "OpAny", 154)                                                                       \
	X(ALL, "OpAll", 155)                                                                       \
	X(IS_NAN, "OpIsNan", 156)                                                                  \
	X(IS_INF, "OpIsInf", 157)                                                                  \
	X(IS_FINITE, "OpIsFinite", 158)                                                            \
	X(IS_NORMAL, "OpIsNormal", 159)                                                            \
	X(SIGN_BIT_SET, "OpSignBitSet", 160)                                                       \
	X(LESS_OR_GREATER, "OpLessOrGreater", 161)                                                 \
	X(ORDERED, "OpOrdered", 162)                                                               \
	X(UNORDERED, "OpUnordered", 163)                                                           \
	X(LOGICAL_EQUAL, "OpLogicalEqual", 164)                                                    \
	X(LOGICAL_NOT_EQUAL, "OpLogicalNotEqual", 165)                                             \
	X(LOGICAL_OR, "OpLogicalOr", 166)                                                          \
	X(LOGICAL_AND, "OpLogicalAnd", 167)                                                        \
	X(LOGICAL_NOT, "OpLogicalNot", 168)                                                        \
	X(SELECT, "OpSelect", 169)                                                                 \
	X(I_EQUAL, "OpIEqual", 170)                                                                \
	X(I_NOT_EQUAL, "OpINotEqual", 171)                                                         \
	X(U_GREATER_THAN, "OpUGreaterThan", 172)                                                   \
	X(S_GREATER_THAN, "OpSGreaterThan", 173)                                                   \
	X(U_GREATER_THAN_EQUAL, "OpUGreaterThanEqual", 174)                                        \
	X(S_GREATER_THAN_EQUAL, "OpSGreaterThanEqual", 175)                                        \
	X(U_LESS_THAN, "OpULessThan", 176)                                                         \
	X(S_LESS_THAN, "OpSLessThan", 177)                                                         \
	X(U_LESS_THAN_EQUAL, "OpULessThanEqual", 178)                                              \
	X(S_LESS_THAN_EQUAL, "OpSLessThanEqual", 179)                                              \
	X(F_ORD_EQUAL, "OpFOrdEqual", 180)                                                         \
	X(F_UNORD_EQUAL, "OpFUnordEqual", 181)                                                     \
	X(F_ORD_NOT_EQUAL, "OpFOrdNotEqual", 182)                                                  \
	X(F_UNORD_NOT_EQUAL, "OpFUnordNotEqual", 183)                                              \
	X(F_ORD_LESS_THAN, "OpFOrdLessThan", 184)                                                  \
	X(F_UNORD_LESS_THAN, "OpFUnordLessThan", 185)                                              \
	X(F_ORD_GREATER_THAN, "OpFOrdGreaterThan", 186)                                            \
	X(F_UNORD_GREATER_THAN, "OpFUnordGreaterThan", 187)                                        \
	X(F_ORD_LESS_THAN_EQUAL, "OpFOrdLessThanEqual", 188)                                       \
	X(F_UNORD_LESS_THAN_EQUAL, "OpFUnordLessThanEqual", 189)                                   \
	X(F_ORD_GREATER_THAN_EQUAL, "OpFOrdGreaterThanEqual", 190)                                 \
	X(F_UNORD_GREATER_THAN_EQUAL, "OpFUnordGreaterThanEqual", 191)                             \
	X(SHIFT_RIGHT_LOGICAL, "OpShiftRightLogical", 194)                                         \
	X(SHIFT_RIGHT_ARITHMETIC, "OpShiftRightArithmetic", 195)                                   \
	X(SHIFT_LEFT_LOGICAL, "OpShiftLeftLogical", 196)                                           \
	X(BITWISE_OR, "OpBitwiseOr", 197)                                                          \
	X(BITWISE_XOR, "OpBitwiseXor", 198)                                                        \
	X(BITWISE_AND, "OpBitwiseAnd", 199)                                                        \
	X(NOT, "OpNot", 200)                                                                       \
	X(BIT_REVERSE, "OpBitReverse", 204)                                                        \
	X(BIT_COUNT, "OpBitCount", 205)                                                            \
	X(CONTROL_BARRIER, "OpControlBarrier", 224)                                                \
	X(MEMORY_BARRIER, "OpMemoryBarrier", 225)                                                  \
	X(ATOMIC_LOAD, "OpAtomicLoad", 227)                                                        \
	X(ATOMIC_STORE, "OpAtomicStore", 228)                                                      \
	X(ATOMIC_EXCHANGE, "OpAtomicExchange", 229)                                                \
	X(ATOMIC_COMPARE_EXCHANGE, "OpAtomicCompareExchange", 230)                                 \
	X(ATOMIC_COMPARE_EXCHANGE_WEAK, "OpAtomicCompareExchangeWeak", 231)                        \
	X(ATOMIC_INCREMENT, "OpAtomicIIncrement", 232)                                             \
	X(ATOMIC_DECREMENT, "OpAtomicIDecrement", 233)                                             \
	X(ATOMIC_ADD, "OpAtomicIAdd", 234)                                                         \
	X(ATOMIC_SUB, "OpAtomicISub", 235)                                                         \
	X(ATOMIC_SMIN, "OpAtomicSMin", 236)                                                        \
	X(ATOMIC_UMIN, "OpAtomicUMin", 237)                                                        \
	X(ATOMIC_SMAX, "OpAtomicSMax", 238)                                                        \
	X(ATOMIC_UMAX, "OpAtomicUMax", 239)                                                        \
	X(ATOMIC_AND, "OpAtomicAnd", 240)                                                          \
	X(ATOMIC_OR, "OpAtomicOr", 241)                                                            \
	X(ATOMIC_XOR, "OpAtomicXor", 242)                                                          \
	X(PHI, "OpPhi", 245)                                                                       \
	X(LOOP_MERGE, "OpLoopMerge", 246)                                                          \
	X(SELECTION_MERGE, "OpSelectionMerge", 247)                                                \
	X(LABEL, "OpLabel", 248)                                                                   \
	X(BRANCH, "OpBranch", 249)                                                                 \
	X(BRANCH_CONDITIONAL, "OpBranchConditional", 250)                                          \
	X(SWITCH, "OpSwitch", 251)                                                                 \
	X(KILL, "OpKill", 252)                                                                     \
	X(RETURN, "OpReturn", 253)                                                                 \
	X(RETURN_VALUE, "OpReturnValue", 254)                                                      \
	X(UNREACHABLE, "OpUnreachable", 255)                                                       \
	X(LIFETIME_START, "OpLifetimeStart", 256)                                                  \
	X(LIFETIME_STOP, "OpLifetimeStop", 257)                                                    \
	X(GROUP_ASYNC_COPY, "OpGroupAsyncCopy", 259)                                               \
	X(GROUP_WAIT_EVENTS, "OpGroupWaitEvents", 260)                                             \
	X(GROUP_ALL, "OpGroupAll", 261)                                                            \
	X(GROUP_ANY, "OpGroupAny", 262)                                                            \
	X(GROUP_BROADCAST, "OpGroupBroadcast", 263)                                                \
	X(GROUP_I_ADD, "OpGroupIAdd", 264)                                                         \
	X(GROUP_F_ADD, "OpGroupFAdd", 265)                                                         \
	X(GROUP_F_MIN, "OpGroupFMin", 266)                                                         \
	X(GROUP_U_MIN, "OpGroupUMin", 267)                                                         \
	X(GROUP_S_MIN, "OpGroupSMin", 268)                                                         \
	X(GROUP_F_MAX, "OpGroupFMax", 269)                                                         \
	X(GROUP_U_MAX, "OpGroupUMax", 270)                                                         \
	X(GROUP_S_MAX, "OpGroupSMax", 271)                                                         \
	X(NO_LINE, "OpNoLine", 317)                                                                \
	X(ATOMIC_FLAG_TEST_AND_SET, "OpAtomicFlagTestAndSet", 318)                                 \
	X(ATOMIC_FLAG_CLEAR, "OpAtomicFlagClear", 319)                                             \
	X(LANES_ELECT, "OpGroupNonUniformElect", 333)                                              \
	X(LANES_ALL, "OpGroupNonUniformAll", 334)                                                  \
	X(LANES_ANY, "OpGroupNonUniformAny", 335)                                                  \
	X(LANES_ALL_EQUAL, "OpGroupNonUniformAllEqual", 336)                                       \
	X(LANES_BROADCAST, "OpGroupNonUniformBroadcast", 337)                                      \
	X(LANES_BROADCAST_FIRST, "OpGroupNonUniformBroadcastFirst", 338)                           \
	X(LANES_BALLOT, "OpGroupNonUniformBallot", 339)                                            \
	X(LANES_INVERSE_BALLOT, "OpGroupNonUniformInverseBallot", 340)                             \
	X(LANES_BALLOT_BIT_EXTRACT, "OpGroupNonUniformBallotBitExtract", 341)                      \
	X(LANES_BALLOT_BIT_COUNT, "OpGroupNonUniformBallotBitCount", 342)                          \
	X(LANES_BALLOT_FIND_LSB, "OpGroupNonUniformBallotFindLSB", 343)                            \
	X(LANES_BALLOT_FIND_MSB, "OpGroupNonUniformBallotFindMSB", 344)                            \
	X(LANES_SHUFFLE, "OpGroupNonUniformShuffle", 345)                                          \
	X(LANES_SHUFFLE_XOR, "OpGroupNonUniformShuffleXor", 346)                                   \
	X(LANES_SHUFFLE_UP, "OpGroupNonUniformShuffleUp", 347)                                     \
	X(LANES_SHUFFLE_DOWN, "OpGroupNonUniformShuffleDown", 348)                                 \
	X(LANES_I_ADD, "OpGroupNonUniformIAdd", 349)                                               \
	X(LANES_F_ADD, "OpGroupNonUniformFAdd", 350)                                               \
	X(LANES_I_MUL, "OpGroupNonUniformIMul", 351)                                               \
	X(LANES_F_MUL, "OpGroupNonUniformFMul", 352)                                               \
	X(LANES_S_MIN, "OpGroupNonUniformSMin", 353)                                               \
	X(LANES_U_MIN, "OpGroupNonUniformUMin", 354)                                               \
	X(LANES_F_MIN, "OpGroupNonUniformFMin", 355)                                               \
	X(LANES_S_MAX, "OpGroupNonUniformSMax", 356)                                               \
	X(LANES_U_MAX, "OpGroupNonUniformUMax", 357)                                               \
	X(LANES_F_MAX, "OpGroupNonUniformFMax", 358)                                               \
	X(LANES_BITWISE_AND, "OpGroupNonUniformBitwiseAnd", 359)                                   \
	X(LANES_BITWISE_OR, "OpGroupNonUniformBitwiseOr", 360)                                     \
	X(LANES_BITWISE_XOR, "OpGroupNonUniformBitwiseXor", 361)                                   \
	X(LANES_LOGICAL_AND, "OpGroupNonUniformLogicalAnd", 362)                                   \
	X(LANES_LOGICAL_OR, "OpGroupNonUniformLogicalOr", 363)                                     \
	X(LANES_LOGICAL_XOR, "OpGroupNonUniformLogicalXor", 364)

/* Instructions that are named where they stand in a kernel, and not understood: X(name, number) */
#define OPCODES_REFUSED(X)                                                                         \
	X("OpSampledImage", 86)                                                                    \
	X("OpImageSampleImplicitLod", 87)                                                          \
	X("OpImageSampleExplicitLod", 88)                                                          \
	X("OpImageFetch", 95)                                                                      \
	X("OpImageRead", 98)                                                                       \
	X("OpImageWrite", 99)                                                                      \
	X("OpImage", 100)                                                                          \
	X("OpImageQueryFormat", 101)                                                               \
	X("OpImageQueryOrder", 102)                                                                \
	X("OpImageQuerySizeLod", 103)                                                              \
	X("OpImageQuerySize", 104)                                                                 \
	X("OpImageQueryLevels", 106)                                                               \
	X("OpImageQuerySamples", 107)                                                              \
	X("OpReadPipe", 274)                                                                       \
	X("OpWritePipe", 275)                                                                      \
	X("OpReservedReadPipe", 276)                                                               \
	X("OpReservedWritePipe", 277)                                                              \
	X("OpReserveReadPipePackets", 278)                                                         \
	X("OpReserveWritePipePackets", 279)                                                        \
	X("OpCommitReadPipe", 280)                                                                 \
	X("OpCommitWritePipe", 281)                                                                \
	X("OpIsValidReserveId", 282)                                                               \
	X("OpGetNumPipePackets", 283)                                                              \
	X("OpGetMaxPipePackets", 284)                                                              \
	X("OpGroupReserveReadPipePackets", 285)                                                    \
	X("OpGroupReserveWritePipePackets", 286)                                                   \
	X("OpGroupCommitReadPipe", 287)                                                            \
	X("OpGroupCommitWritePipe", 288)                                                           \
	X("OpEnqueueMarker", 291)                                                                  \
	X("OpEnqueueKernel", 292)                                                                  \
	X("OpGetKernelNDrangeSubGroupCount", 293)                                                  \
	X("OpGetKernelNDrangeMaxSubGroupSize", 294)                                                \
	X("OpGetKernelWorkGroupSize", 295)                                                         \
	X("OpGetKernelPreferredWorkGroupSizeMultiple", 296)                                        \
	X("OpRetainEvent", 297)                                                                    \
	X("OpReleaseEvent", 298)                                                                   \
	X("OpCreateUserEvent", 299)                                                                \
	X("OpIsValidEvent", 300)                                                                   \
	X("OpSetUserEventStatus", 301)                                                             \
	X("OpCaptureEventProfilingInfo", 302)                                                      \
	X("OpGetDefaultQueue", 303)                                                                \
	X("OpBuildNDRange", 304)                                                                   \
	X("OpAtomicFMinEXT", 5614)                                                                 \
	X("OpAtomicFMaxEXT", 5615)                                                                 \
	X("OpAtomicFAddEXT", 6035)

enum opcode {
#define OCLMM_X(name, word, number) OP_##name = number,
	OPCODES(OCLMM_X)
#undef OCLMM_X
};

#endif
