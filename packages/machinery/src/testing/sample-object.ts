/**
 * An object with something of every kind in it, as JSON: numbers that fit no double among it. Templates are tried on
 * it here and, with the same expectations, by a real kubectl.
 */
export const SAMPLE_OBJECT = `{
  "apiVersion": "v1",
  "kind": "ConfigMap",
  "metadata": {
    "name": "sample",
    "namespace": "shop",
    "labels": {
      "app": "web",
      "example.com/tier": "front"
    },
    "annotations": {
      "note": "a \\"quoted\\" <text> & more",
      "k": "v",
      "lines": "one\\ntwo"
    }
  },
  "data": {
    "10": "ten",
    "2": "two",
    "a": "x"
  },
  "extra": {
    "whole": 5,
    "negative": -7,
    "float": 1.5,
    "large": 1234567.25,
    "small": 1e-05,
    "big": 9007199254740993,
    "yes": true,
    "no": false,
    "nothing": null,
    "empty": "",
    "unicode": "Größe ⛵",
    "encoded": "aGVsbG8=",
    "list": [
      "a",
      "b",
      "c",
      "d"
    ],
    "numbers": [
      3,
      1,
      2
    ],
    "mixed": [
      "x",
      1,
      2.5,
      true,
      null,
      {
        "k": "v"
      }
    ],
    "none": [],
    "bare": {},
    "points": [
      {
        "id": "p1",
        "x": 4,
        "y": -5,
        "tags": [
          "t1",
          "t2"
        ]
      },
      {
        "id": "p2",
        "x": -2,
        "z": 1.25,
        "tags": []
      },
      {
        "id": "p3",
        "y": 3,
        "tags": [
          "t3"
        ],
        "name": "it's"
      },
      {
        "id": "p4",
        "x": null,
        "on": true
      }
    ],
    "matrix": [
      [
        1,
        2
      ],
      [
        3,
        4
      ],
      [
        5,
        6
      ]
    ],
    "containers": [
      {
        "name": "web",
        "image": "nginx:1.25",
        "ports": [
          {
            "containerPort": 80,
            "name": "http"
          },
          {
            "containerPort": 443
          }
        ],
        "resources": {
          "limits": {
            "cpu": "500m"
          }
        }
      },
      {
        "name": "log",
        "image": "fluent/fluent-bit:2.0",
        "ports": [
          {
            "containerPort": 2020
          }
        ]
      }
    ]
  }
}`;
