// Materials of meshes and ground: three's own shading with a computed texture laid over the colour.

import * as THREE from "three";
import { TRIPLANAR, tileOf, type SurfaceKind } from "./textures";

const GRID = /* glsl */ `
{
  vec2 cell = vWorldPlace.xy / gridSize;
  vec2 width = max(fwidth(cell), vec2(1e-5));
  vec2 near = abs(fract(cell - 0.5) - 0.5) / width;
  float line = 1.0 - min(min(near.x, near.y), 1.0);
  line *= 1.0 - smoothstep(0.15, 0.6, max(width.x, width.y));
  diffuseColor.rgb = mix(diffuseColor.rgb, gridColor, gridStrength * line);
}
`;

export interface Grid {
  gridColor: { value: THREE.Color };
  gridSize: { value: number };
  gridStrength: { value: number };
}

export interface Wrapping {
  kind: SurfaceKind;
  /** Length that one tile covers, m. */
  tile: number;
  /** How much of the tile's contrast shows. */
  strength: number;
  /** Fixed to the world, as ground is, or to the body. */
  world: boolean;
  grid?: Grid;
}

/** Lays a computed texture over a material. */
export function wrap<M extends THREE.MeshStandardMaterial | THREE.MeshLambertMaterial>(material: M, wrapping: Wrapping): M {
  const place = wrapping.world ? "vWorldPlace" : "vOwnPlace";
  const normal = wrapping.world ? "vWorldNormal" : "vOwnNormal";
  material.customProgramCacheKey = () => `wrapped-${wrapping.world}-${wrapping.grid !== undefined}`;
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, {
      tile: { value: tileOf(wrapping.kind) },
      tileSize: { value: wrapping.tile },
      tileStrength: { value: wrapping.strength },
      ...wrapping.grid,
    });
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nvarying vec3 vOwnPlace;\nvarying vec3 vOwnNormal;\nvarying vec3 vWorldPlace;\nvarying vec3 vWorldNormal;")
      .replace(
        "#include <begin_vertex>",
        `#include <begin_vertex>
        vOwnPlace = position;
        vOwnNormal = normal;
        vWorldPlace = (modelMatrix * vec4(position, 1.0)).xyz;
        vWorldNormal = (modelMatrix * vec4(normal, 0.0)).xyz;`,
      );
    shader.fragmentShader = shader.fragmentShader
      .replace(
        "#include <common>",
        `#include <common>
        varying vec3 vOwnPlace;
        varying vec3 vOwnNormal;
        varying vec3 vWorldPlace;
        varying vec3 vWorldNormal;
        uniform sampler2D tile;
        uniform float tileSize;
        uniform float tileStrength;
        uniform vec3 gridColor;
        uniform float gridSize;
        uniform float gridStrength;
        ${TRIPLANAR}`,
      )
      .replace(
        "#include <color_fragment>",
        `#include <color_fragment>
        diffuseColor.rgb *= tileFactor(tile, ${place} / tileSize, ${normal}, tileStrength);
        ${wrapping.world ? `diffuseColor.rgb *= tileFactor(tile, (${place}.yxz + 0.37) / (tileSize * 7.3), ${normal}, 0.6 * tileStrength);` : ""}
        ${wrapping.grid === undefined ? "" : GRID}`,
      );
  };
  return material;
}
