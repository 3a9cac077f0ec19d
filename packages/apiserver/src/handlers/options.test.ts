import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { listOptions, writeOptions } from './options.ts';

const query = (text: string): URLSearchParams => new URLSearchParams(text);

describe('options of a write', () => {
  test('warn of unknown fields unless told otherwise', () => {
    assert.deepEqual(writeOptions(query(''), 'CreateOptions'), {
      dryRun: false,
      fieldValidation: 'Warn',
      fieldManager: '',
      force: false,
    });
    assert.equal(
      writeOptions(query('fieldValidation=Strict'), 'CreateOptions').fieldValidation,
      'Strict',
    );
  });

  test('know one kind of dry run', () => {
    assert.equal(writeOptions(query('dryRun=All'), 'PatchOptions').dryRun, true);
    assert.throws(() => writeOptions(query('dryRun=Some'), 'PatchOptions'), {
      code: 422,
      message:
        'PatchOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["Some"]: supported values: "All"',
    });
    assert.throws(() => writeOptions(query('dryRun=All&dryRun=none'), 'CreateOptions'), {
      code: 422,
    });
  });

  test('refuse what they do not know, all of it in one answer', () => {
    assert.throws(
      () =>
        writeOptions(
          query(`fieldValidation=Maybe&fieldManager=${'m'.repeat(129)}`),
          'UpdateOptions',
        ),
      (error: { code: number; message: string }) => {
        assert.equal(error.code, 422);
        assert.match(error.message, /fieldManager: Too long/);
        assert.match(error.message, /fieldValidation: Unsupported value: "Maybe"/);
        return true;
      },
    );
  });
});

describe('options of a list', () => {
  test('are empty when nothing is said', () => {
    assert.deepEqual(listOptions(query(''), false), {
      labelSelector: '',
      fieldSelector: '',
      limit: 0,
      continue: '',
      resourceVersion: '',
      resourceVersionMatch: '',
      allowWatchBookmarks: false,
      sendInitialEvents: undefined,
      timeoutSeconds: undefined,
    });
  });

  test('refuse contradictions', () => {
    const refused: readonly [string, RegExp][] = [
      ['resourceVersionMatch=Exact', /is forbidden unless resourceVersion is provided/],
      [
        'resourceVersionMatch=Exact&resourceVersion=0',
        /"exact" is forbidden for resourceVersion "0"/,
      ],
      ['resourceVersionMatch=Newest&resourceVersion=1', /Unsupported value: "Newest"/],
      ['resourceVersionMatch=Exact&resourceVersion=1&continue=x', /when continue is provided/],
      ['sendInitialEvents=true', /sendInitialEvents is forbidden for list/],
    ];
    for (const [text, message] of refused) {
      assert.throws(() => listOptions(query(text), false), { code: 422, message }, text);
    }
  });

  test('refuse numbers that are none, as Go words it', () => {
    assert.throws(() => listOptions(query('limit=many'), false), {
      code: 400,
      message: 'strconv.ParseInt: parsing "many": invalid syntax',
    });
    assert.throws(() => listOptions(query('limit=9223372036854775808'), false), {
      code: 400,
      message: 'strconv.ParseInt: parsing "9223372036854775808": value out of range',
    });
    assert.equal(listOptions(query('limit='), false).limit, 0);
  });
});

describe('options of a watch', () => {
  test('ask for initial events when they name no revision', () => {
    for (const text of ['', 'resourceVersion=0']) {
      assert.equal(listOptions(query(text), true).sendInitialEvents, true);
    }
    assert.equal(listOptions(query('resourceVersion=7'), true).sendInitialEvents, undefined);
  });

  test('refuse contradictions', () => {
    const refused: readonly [string, RegExp][] = [
      [
        'sendInitialEvents=true',
        /sendInitialEvents requires setting resourceVersionMatch to NotOlderThan/,
      ],
      [
        'resourceVersionMatch=NotOlderThan&resourceVersion=1',
        /forbidden for watch unless sendInitialEvents/,
      ],
      ['sendInitialEvents=true&resourceVersionMatch=Exact', /Unsupported value: "Exact"/],
    ];
    for (const [text, message] of refused) {
      assert.throws(() => listOptions(query(text), true), { code: 422, message }, text);
    }
  });
});
