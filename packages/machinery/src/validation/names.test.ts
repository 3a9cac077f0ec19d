import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatFieldError } from '../field-errors.ts';
import * as dns from './dns-names.ts';
import { isDomainPrefixedPath, validateDomainPrefixedPath } from './domain-names.ts';
import * as names from './names.ts';

const SUBDOMAIN =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const QUALIFIED =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

test('DNS names are checked with the words of upstream', () => {
  assert.deepEqual(dns.isDNS1123Subdomain('a.b-c.0'), []);
  assert.deepEqual(dns.isDNS1123Subdomain('A'), [SUBDOMAIN]);
  assert.deepEqual(dns.isDNS1123Subdomain(''), [SUBDOMAIN]);
  assert.deepEqual(dns.isDNS1123Subdomain('a'.repeat(254)), [
    'must be no more than 253 characters',
  ]);
  assert.deepEqual(dns.isDNS1123Label('a.b'), ['must not contain dots']);
  assert.deepEqual(dns.isDNS1123Label('a'.repeat(64)), ['must be no more than 63 characters']);
  assert.deepEqual(dns.isDNS1123Label('-a'), [
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
  ]);
  assert.deepEqual(dns.isDNS1035Label('1a'), [
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
  ]);
  assert.deepEqual(dns.isWildcardDNS1123Subdomain('*.example.com'), []);
  assert.equal(dns.isWildcardDNS1123Subdomain('*.*.com').length, 1);
  assert.deepEqual(dns.isDNS1123SubdomainWithUnderscore('_a.b_c'), []);
});

test('a newline at the end of a name is not overlooked', () => {
  assert.equal(dns.isDNS1123Subdomain('a\n').length, 1);
  assert.equal(names.isQualifiedName('a\n').length, 1);
});

test('qualified names tell which part is wrong', () => {
  assert.deepEqual(names.isQualifiedName('example.com/My_name'), []);
  assert.deepEqual(names.isQualifiedName('/a'), ['prefix part must be non-empty']);
  assert.deepEqual(names.isQualifiedName('A/b'), [`prefix part ${SUBDOMAIN}`]);
  assert.deepEqual(names.isQualifiedName('a/'), [
    'name part must be non-empty',
    `name part ${QUALIFIED}`,
  ]);
  assert.deepEqual(names.isQualifiedName('é'.repeat(32)), [
    'name part must be no more than 63 characters',
    `name part ${QUALIFIED}`,
  ]);
  assert.deepEqual(names.isQualifiedName('a/b/c'), [
    `a qualified name ${QUALIFIED} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
  ]);
});

test('the other names follow upstream', () => {
  assert.deepEqual(names.isValidLabelValue(''), []);
  assert.equal(names.isValidLabelValue('-a').length, 1);
  assert.deepEqual(names.isCIdentifier('_a1'), []);
  assert.equal(names.isCIdentifier('1a').length, 1);
  assert.deepEqual(names.isEnvVarName('..a'), ["must not start with '..'"]);
  assert.deepEqual(names.isConfigMapKey('..'), ["must not be '..'"]);
  assert.deepEqual(names.isRelaxedEnvVarName('a b!'), []);
  assert.equal(names.isRelaxedEnvVarName('a=b').length, 1);
  assert.deepEqual(names.isRelaxedEnvVarName(''), ['environment variable name must be non-empty']);
  assert.deepEqual(names.isHTTPHeaderName('X-A'), []);
  assert.deepEqual(names.isValidPortNum(0), ['must be between 1 and 65535, inclusive']);
  assert.deepEqual(names.isValidPortNum(65535), []);
  assert.deepEqual(names.isValidPortName('--'), [
    'must contain at least one letter (a-z)',
    'must not contain consecutive hyphens',
    'must not begin or end with a hyphen',
  ]);
  assert.deepEqual(names.isValidPercent('10%'), []);
  assert.deepEqual(names.isPathSegmentName('..'), ["may not be '..'"]);
  assert.deepEqual(names.isPathSegmentName('a/b%'), ["may not contain '/'", "may not contain '%'"]);
  assert.deepEqual(names.isPathSegmentPrefix('..'), []);
});

test('a domain-prefixed path names the part that is wrong', () => {
  assert.deepEqual(isDomainPrefixedPath('acme.io/foo'), []);
  assert.deepEqual(validateDomainPrefixedPath('acme.io/', 'p').map(formatFieldError), [
    'p: Invalid value: "acme.io/": must be a domain-prefixed path (such as "acme.io/foo")',
  ]);
  assert.deepEqual(validateDomainPrefixedPath('', 'p').map(formatFieldError), [
    'p: Required value',
  ]);
  assert.equal(
    validateDomainPrefixedPath('acme.io/a b', 'p')[0]?.message.slice(0, 30),
    'Invalid value: "a b": Invalid ',
  );
});
