import { join } from 'node:path';

/** One member of a fleet that is there to be tried out. */
export interface FleetMember {
  /** Its context, and its name in the fleet. */
  readonly name: string;
  /** Everything it keeps is below this folder. */
  readonly folder: string;
  readonly region: string;
  readonly environment: string;
  /** Tells the versions of its workloads from those of its neighbours. */
  readonly number: number;
}

const REGIONS = ['eu-west', 'us-east', 'ap-south', 'eu-north', 'us-west'];

/** The members of a fleet of some size; the same ones whenever they are asked for. */
export function fleetMembers(dataFolder: string, size: number): FleetMember[] {
  return Array.from({ length: size }, (_, index) => {
    const name = `member-${index + 1}`;
    return {
      name,
      folder: join(dataFolder, 'members', name),
      region: REGIONS[index % REGIONS.length] ?? '',
      // One of them is where things are tried first.
      environment: index === size - 1 && size > 1 ? 'staging' : 'production',
      number: index + 1,
    };
  });
}
