import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isIscsiName } from './iscsi-name.ts';

test('the three forms of iSCSI names are told from others', () => {
  assert.ok(isIscsiName('iqn.2015-02.example.com:test'));
  assert.ok(isIscsiName('eui.0123456789abcdef'));
  assert.ok(isIscsiName('naa.62004567BA64678D0123456789ABCDEF'));
  for (const name of ['', 'x', 'iqn.2015-02.example.com', 'eui.0123', 'naa.0123', 'yeui.0123']) {
    assert.ok(!isIscsiName(name), name);
  }
});

test('a text too long to match in reasonable time is no name', () => {
  assert.ok(!isIscsiName(`iqn.2015-02.${'a'.repeat(5000)}:test`));
});
