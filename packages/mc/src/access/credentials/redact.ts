/** What stands in place of a secret. */
const REDACTED = '<redacted>';

/** Forms that secrets have wherever they stand; each pattern's first group, where it has one, is kept. */
const SECRETS: readonly RegExp[] = [
  /-----BEGIN [A-Z0-9 ]*-----[\s\S]*?(?:-----END [A-Z0-9 ]*-----|$)/g,
  // JSON web tokens, and tokens of EKS, Google, GitHub and Azure.
  /\beyJ[\w-]{8,}(?:\.[\w-]*){1,4}/g,
  /\bk8s-aws-v1\.[\w-]+/g,
  /\bya29\.[\w-]+/g,
  /\b(?:gh[pousr]_|github_pat_|glpat-|xox[abprs]-)[\w-]{10,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{12,}\b/g,
  /\b((?:Bearer|Basic|Negotiate)\s+)[\w.~+/=-]{6,}/gi,
  // Of signed URLs, and of URLs with a password.
  /([?&](?:X-Amz-(?:Signature|Security-Token|Credential)|sig|code|access_token|id_token|client_secret)=)[^&\s"']+/gi,
  /(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@"']+(?=@)/gi,
  // `name: value` and `name=value`, with or without quotes, as in JSON, headers and flags.
  /((?:\b|_)(?:pass(?:word|wd|phrase)?|secret(?:[-_ ]?(?:access[-_ ]?)?key)?|api[-_ ]?key|private[-_ ]?key|client[-_ ]?secret|credentials?|authorization)["']?\s*[:=]\s*)(?:"[^"]*"|'[^']*'|[^\s,;}&]+)/gi,
  // "Token: Token for dev does not exist" is no secret.
  /((?:\b|_)(?:access|id|refresh|session|auth|bearer|security)?[-_ ]?token["']?\s*[:=]\s*)(?:"[^"]*"|'[^']*'|(?=\S*[\d._-])[^\s,;}&]{8,})/gi,
  /(--?(?:password|token|secret|client-secret|api-key)\s+)(?!-)\S+/gi,
  // Anything else that long and that mixed is more likely a key than a word.
  /(?<![\w/+.-])(?=[\w+/-]*\d)(?=[\w+/-]*[a-z])(?=[\w+/-]*[A-Z])[\w+/-]{40,}={0,2}/g,
];

const NAMES_A_SECRET = /PASS|SECRET|TOKEN|KEY|CREDENTIAL|AUTH/i;
const SHORTEST = 6;

/** Takes out of a helper's words what looks like a secret, and the secrets that are known by value. */
export function redactSecrets(text: string, known: readonly string[] = []): string {
  let result = text;
  for (const secret of known) {
    if (secret.length >= SHORTEST) result = result.replaceAll(secret, REDACTED);
  }
  for (const pattern of SECRETS) {
    result = result.replace(pattern, (...match: unknown[]) => {
      const kept = match[1];
      return `${typeof kept === 'string' ? kept : ''}${REDACTED}`;
    });
  }
  return result;
}

/** Values of an environment that its names call secret. */
export function secretValues(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && NAMES_A_SECRET.test(name) ? [value] : [],
  );
}
