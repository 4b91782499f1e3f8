//! [`JavaException`]: the exceptions on which the server's parser fails.

use crate::sentences;

sentences! {
    /// An exception inside the server's parser, with the server's text.
    JavaException {
        NullTupleElement
            = "NullPointerException Cannot invoke \
               \"org.apache.cassandra.cql3.CQL3Type$Raw.supportsFreezing()\" because \"t\" is null";
        NullFrozenType
            = "NullPointerException Cannot invoke \
               \"org.apache.cassandra.cql3.CQL3Type$Raw.freeze()\" because \"f\" is null";
        IntegerOutOfRange { text: Box<str> }
            = "NumberFormatException For input string: \"{text}\"";
        TooManyExponentDigits
            = "NumberFormatException Too many nonzero exponent digits.";
        ScaleOutOfRange
            = "NumberFormatException Scale out of range.";
        ExponentOverflow
            = "NumberFormatException Exponent overflow.";
        InfiniteDouble
            = "NumberFormatException Character I is neither a decimal digit number, decimal point, nor \"e\" \
               notation exponential mark.";
        EverythingAllowed
            = "IllegalArgumentException All has been set";
        DatacentersSet
            = "IllegalArgumentException DCs have already been set";
        CidrGroupsSet
            = "IllegalArgumentException CIDR Groups have already been set";
    }
}
