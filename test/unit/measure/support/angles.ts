/** Small helpers of the measuring tests. */
export { axisAngle } from '../../../support/referenceMath.js';
export { radians } from '../../../support/chains.js';
