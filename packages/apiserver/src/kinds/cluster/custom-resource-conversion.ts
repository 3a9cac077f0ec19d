import {
  at,
  child,
  type FieldError,
  forbidden,
  invalid,
  isDNS1035Label,
  notSupported,
  required,
} from '@flotilla/machinery';
import type { CrdConversion } from '../../custom/crd.ts';
import { isCertificateBundle } from './certificate-pem.ts';
import { validateClientConfig, type WebhookClientConfig } from './webhook-client.ts';

const strategies = ['None', 'Webhook'];
const reviewVersions = ['v1', 'v1beta1'];

/** What an update may keep although a new CRD could not have it. */
export interface ConversionOptions {
  readonly requireKnownReview: boolean;
  readonly allowBadBundle: boolean;
}

/** How versions are converted, and by whom. */
export function validateConversion(
  conversion: CrdConversion,
  path: string,
  options: ConversionOptions,
): FieldError[] {
  const { strategy, webhook } = conversion;
  const configPath = child(path, 'webhookClientConfig');
  const versionsPath = child(path, 'conversionReviewVersions');
  const config = webhook?.clientConfig;
  const versions = webhook?.conversionReviewVersions ?? [];
  const errors: FieldError[] = [];
  if (strategy === '') errors.push(required(child(path, 'strategy')));
  else if (!strategies.includes(strategy)) {
    errors.push(notSupported(child(path, 'strategy'), strategy, strategies));
  }
  if (strategy !== 'Webhook') {
    const detail = 'should not be set when strategy is not set to Webhook';
    if (config !== undefined) errors.push(forbidden(configPath, detail));
    if (versions.length > 0) errors.push(forbidden(versionsPath, detail));
    return errors;
  }
  if (config === undefined) {
    errors.push(required(configPath, 'required when strategy is set to Webhook'));
  } else {
    errors.push(...validateClientConfig(config as WebhookClientConfig, configPath));
    const { caBundle = '' } = config;
    if (caBundle !== '' && !options.allowBadBundle && !isCertificateBundle(caBundle)) {
      const detail = 'unable to load root certificates: unable to parse bytes as PEM block';
      errors.push(invalid(child(configPath, 'caBundle'), caBundle, detail));
    }
  }
  return [...errors, ...validateReviewVersions(versions, versionsPath, options)];
}

/** Whether any of the versions is one this server can send; a list that names none is as good. */
export function isKnownReview(versions: readonly string[]): boolean {
  return versions.length === 0 || versions.some((version) => reviewVersions.includes(version));
}

function validateReviewVersions(
  versions: readonly string[],
  path: string,
  { requireKnownReview }: ConversionOptions,
): FieldError[] {
  if (versions.length === 0) return [required(path)];
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, version] of versions.entries()) {
    const versionPath = at(path, index);
    if (seen.has(version)) {
      errors.push(invalid(versionPath, version, 'duplicate version'));
      continue;
    }
    seen.add(version);
    for (const message of isDNS1035Label(version)) {
      errors.push(invalid(versionPath, version, message));
    }
  }
  if (requireKnownReview && !isKnownReview(versions)) {
    const detail = `must include at least one of ${reviewVersions.join(', ')}`;
    errors.push(invalid(path, versions, detail));
  }
  return errors;
}
