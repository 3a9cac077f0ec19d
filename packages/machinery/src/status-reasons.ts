/** Every reason a Status may carry, with the HTTP code that goes with it. */
export const statusReasons = {
  '': 500,
  Unauthorized: 401,
  Forbidden: 403,
  NotFound: 404,
  AlreadyExists: 409,
  Conflict: 409,
  Gone: 410,
  Expired: 410,
  Invalid: 422,
  ServerTimeout: 504,
  Timeout: 504,
  TooManyRequests: 429,
  BadRequest: 400,
  MethodNotAllowed: 405,
  NotAcceptable: 406,
  RequestEntityTooLarge: 413,
  UnsupportedMediaType: 415,
  InternalError: 500,
  ServiceUnavailable: 503,
  StoreReadError: 500,
} as const;

/** The machine-readable half of a refusal. */
export type StatusReason = keyof typeof statusReasons;
