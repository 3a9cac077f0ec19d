import type { ClusterRegistration } from '@flotilla/api';
import type { MemberCredential } from '../../cluster-secret/member-access.ts';
import type { Sourced } from './candidate.ts';
import { authorityOf, decodeBase64Field, keyPairOf, tokenOf } from './decode-data.ts';
import { SourceProblem } from './source-problem.ts';

type Inline = NonNullable<ClusterRegistration['spec']['credentialSource']['inline']>;

const PLACE = 'spec.credentialSource.inline';

/** Reads the credential that stands in the registration itself. */
export function readInlineSource(inline: Inline): Sourced {
  const { caData, insecureSkipTLSVerify } = inline;
  if (insecureSkipTLSVerify && caData !== undefined) {
    throw new SourceProblem(
      'KubeconfigInvalid',
      `Cannot use ${PLACE}.caData: insecureSkipTLSVerify is true, so that nothing is verified by it; leave one of them out`,
    );
  }
  return {
    reason: 'InlineResolved',
    description: PLACE,
    resourceVersion: undefined,
    candidate: {
      server: inline.endpoint,
      ca: insecureSkipTLSVerify ? undefined : authority(caData),
      proxyUrl: inline.proxyURL,
      credential: credentialOf(inline),
      warnings: [],
    },
  };
}

function authority(caData: string | undefined): string {
  if (caData === undefined) return '';
  const field = `${PLACE}.caData`;
  return authorityOf(decodeBase64Field(caData, field), field);
}

function credentialOf(inline: Inline): MemberCredential {
  const decoded = (name: 'tokenData' | 'clientCertData' | 'clientKeyData') => {
    const field = `${PLACE}.${name}`;
    const data = inline[name];
    if (data === undefined || data.trim() === '') {
      throw new SourceProblem('NoCredential', `Cannot use ${PLACE}: ${name} is missing`);
    }
    return { text: decodeBase64Field(data, field), field };
  };
  if (inline.credentialType === 'X509Certificate') {
    return keyPairOf(decoded('clientCertData'), decoded('clientKeyData'));
  }
  const { text, field } = decoded('tokenData');
  return tokenOf(text, field);
}
