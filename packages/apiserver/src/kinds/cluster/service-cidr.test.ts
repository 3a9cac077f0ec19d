import { test } from 'node:test';
import { kindTester } from '../core/kind-tester.cases.ts';

const serviceCidrs = kindTester('networking.k8s.io/v1/ServiceCIDR');

test('Service networks that break a rule are refused in the words of a real server', () => {
  serviceCidrs.refuses([
    [{ spec: {} }, ['spec.cidrs: Required value: at least one CIDR required']],
    [
      { spec: { cidrs: ['10.99.0.1/24'] } },
      [
        'spec.cidrs[0]: Invalid value: "10.99.0.1/24": must not have bits set beyond the prefix length',
      ],
    ],
    [
      { spec: { cidrs: ['10.99.0.0/24', '10.98.0.0/24'] } },
      [
        'spec.cidrs: Invalid value: ["10.99.0.0/24","10.98.0.0/24"]: may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64',
      ],
    ],
    [
      { spec: { cidrs: ['a', 'b', 'c'] } },
      ['spec.cidrs: Invalid value: {"CIDRs":["a","b","c"]}: may only hold up to 2 values'],
    ],
    [
      { spec: { cidrs: ['010.9.0.0/24', '2001:DB8::/64'] } },
      [
        'spec.cidrs[0]: Invalid value: "010.9.0.0/24": must not have leading 0s in IP or prefix length',
        'spec.cidrs[1]: Invalid value: "2001:DB8::/64": must be in canonical form ("2001:db8::/64")',
      ],
    ],
    [
      { spec: { cidrs: ['10.9.0.0/024'] } },
      [
        'spec.cidrs[0]: Invalid value: "10.9.0.0/024": must not have leading 0s in IP or prefix length',
      ],
    ],
  ]);
});

test('Service networks change only as far as a real server lets them', () => {
  serviceCidrs.plays([
    {
      object: { spec: { cidrs: ['10.99.0.0/24'] } },
      steps: [
        {
          set: 'spec/cidrs',
          to: ['10.98.0.0/24'],
          errors: ['spec.cidrs[0]: Invalid value: "10.98.0.0/24": field is immutable'],
        },
        {
          set: 'spec/cidrs',
          to: ['10.99.0.0/24', '10.98.0.0/24'],
          errors: [
            'spec.cidrs: Invalid value: ["10.99.0.0/24","10.98.0.0/24"]: may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64',
          ],
        },
        { set: 'spec/cidrs', to: ['10.99.0.0/24', '2001:db8::/64'] },
      ],
    },
  ]);
});

test('Service networks are stored with the defaults of a real server', () => {
  serviceCidrs.stores([
    [{ spec: { cidrs: ['10.99.0.0/24'] } }, { spec: { cidrs: ['10.99.0.0/24'] }, status: {} }],
  ]);
});

test('Service networks have the cells of a real server', () => {
  serviceCidrs.shows([[{ spec: { cidrs: ['10.99.0.0/24'] } }, ['x', '10.99.0.0/24', '0s']]]);
});
