extension PriceList {
  /// The built-in prices, in the format that `--llm-prices` reads. Providers change their prices: `aisle llm prices` prints this text,
  /// to be corrected in a file of one's own.
  public static let builtInText = """
    # US dollars per million tokens: model, input, output, input from the provider's cache, input written to it.
    # A `*` at the end matches any version. Later lines win.
    claude-haiku-4-5*     1      5      0.10    1.25
    claude-sonnet-4-5*    3      15     0.30    3.75
    claude-sonnet-4-*     3      15     0.30    3.75
    claude-opus-4-5*      5      25     0.50    6.25
    claude-opus-4-1*      15     75     1.50    18.75
    claude-3-5-haiku*     0.80   4      0.08    1
    gpt-4o                2.50   10     1.25    2.50
    gpt-4o-mini*          0.15   0.60   0.075   0.15
    gpt-4.1               2      8      0.50    2
    gpt-4.1-mini*         0.40   1.60   0.10    0.40
    gpt-4.1-nano*         0.10   0.40   0.025   0.10
    gpt-5                 1.25   10     0.125   1.25
    gpt-5-mini*           0.25   2      0.025   0.25
    gpt-5-nano*           0.05   0.40   0.005   0.05

    """
}
