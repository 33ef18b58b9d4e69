#if Corrections
  @_exported public import struct LearnedStrategy.CorrectionChange
  @_exported public import struct LearnedStrategy.CorrectionChanges
  @_exported public import struct LearnedStrategy.CorrectionStoreError
#endif
