@_exported public import CorrectionMatching
