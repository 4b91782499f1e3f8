//! Errors of the option `compression`.

super::family! {
    /// The errors of a compression map.
    CompressionReason {
        NoClass = "SV019", Config, "Missing sub-option 'class' for the 'compression' option.";
        OptionsOfDisabled
            = "SV019", Config,
            "If the 'enabled' option is set to false no other options must be specified";
        EmptyClass
            = "SV019", Config,
            "The 'class' option must not be empty. To disable compression use 'enabled' : false";
        ChunkLengthTooLarge { length: i32 }
            = "SV019", Config, "Value of chunk_length_in_kb is too large ({length})";
        ChunkLengthText = "SV019", Config, "Invalid value for chunk_length_in_kb";
        RatioNumber { exception: super::NumberFormatException }
            = "SV019", Server, "java.lang.NumberFormatException: {exception}";
        NoCompressor = "SV019", Config, "create method not found";
        UnknownClass { class: String }
            = "SV019", Config, "Could not create Compression for type {class}";
        UnknownOption { name: String } = "SV019", Config, "Unknown compression options {name}";
        Lz4Type { kind: String }
            = "SV019", Config,
            "Invalid compressor type '{kind}' specified for LZ4 parameter 'lz4_compressor_type'. Valid \
            options are [high, fast].";
        Lz4Level { level: String }
            = "SV019", Config,
            "Invalid value [{level}] for parameter 'lz4_high_compressor_level'. Value must be between 1 and \
            17.";
        ZstdLevel { level: i32 }
            = "SV019", Config,
            "ZstdCompressor.create() threw an error: java.lang.IllegalArgumentException \
            compression_level={level} is invalid";
        ZstdNumber { exception: super::NumberFormatException }
            = "SV019", Config,
            "ZstdCompressor.create() threw an error: java.lang.NumberFormatException {exception}";
        NegativeChunkLength = "SV019", Config, "Invalid negative or null chunk_length_in_kb";
        ChunkLengthPower = "SV019", Config, "chunk_length_in_kb must be a power of 2";
        NegativeRatio = "SV019", Config, "Invalid negative min_compress_ratio";
        Ratio = "SV019", Config, "min_compress_ratio can either be 0 or greater than or equal to 1";
    }
}
