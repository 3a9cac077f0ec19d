import { roundUpResources } from './quantities.ts';
import type { DownwardFile, Volume } from './volume-types.ts';

const FILE_MODE = 0o644;
const TOKEN_SECONDS = 3600;

/** Upstream's defaults for a volume: an empty folder when nothing is said, and each source's own. */
export function setVolumeDefaults(volume: Volume): void {
  const hasSource = Object.entries(volume).some(([key, value]) => key !== 'name' && value != null);
  if (!hasSource) volume.emptyDir = {};
  const { hostPath, secret, configMap, downwardAPI, projected, ephemeral } = volume;
  if (hostPath) hostPath.type ??= '';
  if (secret) secret.defaultMode ??= FILE_MODE;
  if (configMap) configMap.defaultMode ??= FILE_MODE;
  if (downwardAPI) {
    downwardAPI.defaultMode ??= FILE_MODE;
    setFileDefaults(downwardAPI.items);
  }
  if (projected) {
    projected.defaultMode ??= FILE_MODE;
    for (const source of projected.sources ?? []) {
      setFileDefaults(source.downwardAPI?.items);
      if (source.serviceAccountToken) {
        source.serviceAccountToken.expirationSeconds ??= TOKEN_SECONDS;
      }
    }
  }
  const claim = ephemeral?.volumeClaimTemplate;
  if (claim) {
    claim.spec.volumeMode ??= 'Filesystem';
    roundUpResources(claim.spec.resources);
  }
  setRemoteDefaults(volume);
}

function setRemoteDefaults({ iscsi, rbd, azureDisk, scaleIO }: Volume): void {
  if (iscsi) iscsi.iscsiInterface ||= 'default';
  if (rbd) {
    rbd.pool ||= 'rbd';
    rbd.user ||= 'admin';
    rbd.keyring ||= '/etc/ceph/keyring';
  }
  if (azureDisk) {
    azureDisk.cachingMode ??= 'ReadWrite';
    azureDisk.fsType ??= 'ext4';
    azureDisk.readOnly ??= false;
    azureDisk.kind ??= 'Shared';
  }
  if (scaleIO) {
    scaleIO.storageMode ||= 'ThinProvisioned';
    scaleIO.fsType ||= 'xfs';
  }
}

function setFileDefaults(files: DownwardFile[] | undefined): void {
  for (const { fieldRef } of files ?? []) {
    if (fieldRef) fieldRef.apiVersion ||= 'v1';
  }
}
