export {
  AccessError,
  ConstraintViolation,
  InvalidToken,
  PartialWrite,
  StatementError,
  UnexpectedNull,
  ValueOutOfRange,
  loggingObserver,
} from "./support.js";
export type {
  AccessOptions,
  CallEnd,
  CallInfo,
  Observer,
  OutcomeKind,
  PageOfRows,
  StatementEnd,
  StatementInfo,
} from "./support.js";
